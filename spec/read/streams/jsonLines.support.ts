import { TestScheduler } from 'rxjs/testing';
import { NetworkError } from '../../../src/request/errors/NetworkError.js';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const lost = new NetworkError('GET https://api.example/: terminated', 'UND_ERR_SOCKET');

/** Runs all timers that `act` leaves, in virtual time. */
export function virtually(act: () => void): void {
  new TestScheduler(() => {}).run(act);
}

/** A body that breaks off as undici tells it. */
export function brokenBody(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes(text)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
}
