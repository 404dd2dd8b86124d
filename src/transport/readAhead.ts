import { map, Observable, of, type Subscription } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import type { Body } from '../request/RequestBody.js';
import { wait } from '../time.js';
import { joinBytes } from './readAll.js';

/** Most bytes that are read ahead by default: 64 MiB. */
export const MAX_BUFFER = 67_108_864;

/** Options of {@link readAhead}. */
export interface ReadAheadOptions {
  /** Most bytes kept in memory; a longer body is passed on as a stream. 64 MiB by default. */
  readonly limit?: number;
  /** Reads ahead only as long as chunks come within one turn of the event loop, as those of a body in memory do; the rest is a stream. */
  readonly impatient?: boolean;
}

/**
 * The body of a Request in a form whose length is known and that can be sent again: its bytes, read once into memory. A body that is longer
 * than allowed, or comes too slowly, is passed on as a stream of the bytes so far and the rest. Undefined for a Request without a body.
 * Unsubscribing cancels the reading.
 */
export function readAhead(request: Request, options?: ReadAheadOptions): Observable<Body | undefined> {
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (request.bodyUsed) throw new UsageError('The body of this Request was already read; make a new Request for each call');
  if (!body) return of(undefined);
  const type = request.headers.get('content-type');
  return readStream(body, options).pipe(
    map((read) => (read instanceof Uint8Array ? read : { stream: read, ...(type !== null && { type }) })),
  );
}

/** Reads ahead in any stream; see {@link readAhead}. */
export function readStream(
  body: ReadableStream<Uint8Array>,
  { limit = MAX_BUFFER, impatient = false }: ReadAheadOptions = {},
): Observable<Uint8Array | ReadableStream<Uint8Array>> {
  return new Observable((subscriber) => {
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    let size = 0;
    let pending: ReturnType<typeof reader.read>;
    let timer: Subscription | undefined;
    let settled = false;
    const finish = (read: Uint8Array | ReadableStream<Uint8Array>): void => {
      timer?.unsubscribe();
      settled = true;
      subscriber.next(read);
      subscriber.complete();
    };
    const readNext = (): void => {
      pending = reader.read();
      pending.then(
        ({ done, value }) => {
          if (settled) return;
          if (done) {
            finish(joinBytes(chunks, size));
            return;
          }
          chunks.push(value);
          size += value.byteLength;
          if (size <= limit) readNext();
          else finish(resumed(chunks, reader));
        },
        (error: unknown) => {
          if (settled) return;
          settled = true;
          subscriber.error(error);
        },
      );
    };
    readNext();
    if (impatient) {
      timer = wait(0).subscribe(() => {
        if (!settled) finish(resumed(chunks, reader, pending));
      });
    }
    return () => {
      timer?.unsubscribe();
      if (!settled) reader.cancel().then(undefined, () => undefined);
      settled = true;
    };
  });
}

/** The chunks that were read already, then the read that is under way, then the rest. */
function resumed(
  chunks: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
  pending?: ReturnType<typeof reader.read>,
): ReadableStream<Uint8Array> {
  let next = pending;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) {
        controller.enqueue(chunk);
        return undefined;
      }
      const read = next ?? reader.read();
      next = undefined;
      return read.then(({ done, value }) => {
        if (done) controller.close();
        else controller.enqueue(value);
      });
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
