import { from, map, Observable, type ObservableInput, of } from 'rxjs';
import { takeKept } from './keptBodies.js';
import { readAll, type ReadAllOptions } from './readAll.js';

/** A Response, or a stand-in for one. */
export interface Readable {
  readonly body?: ReadableStream<Uint8Array> | null;
  readonly text?: () => ObservableInput<string>;
}

/** How {@link readBytes} reads. */
export interface ReadOptions extends ReadAllOptions {
  /** Give what has come by the time it emits. */
  readonly until$?: Observable<unknown> | undefined;
}

/** A body's bytes, {@link readAll}ed: emits them once and completes; unsubscribing cancels the body. */
export function readBytes(response: Readable, { until$, ...options }: ReadOptions = {}): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    // `body` is absent in minimal stand-ins for a Response; those are read by their own methods.
    const { body } = response;
    const bytes = takeKept(response);
    if (bytes) {
      subscriber.next(bytes.subarray(0, options.maxBytes));
      subscriber.complete();
      return;
    }
    if (!body) {
      const text$ = body === undefined && response.text ? from(response.text()) : of('');
      subscriber.add(text$.pipe(map((text) => new TextEncoder().encode(text))).subscribe(subscriber));
      return;
    }
    const { cancel, stop } = readAll(
      body,
      options,
      (bytes) => {
        subscriber.next(bytes);
        subscriber.complete();
      },
      (error) => {
        subscriber.error(error);
      },
    );
    subscriber.add(cancel);
    if (until$) subscriber.add(until$.subscribe(stop));
  });
}

/** Bytes as text: UTF-8, as `fetch` has it. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
