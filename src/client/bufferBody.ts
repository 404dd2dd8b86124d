import { map, Observable, of } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import type { Body } from '../request/RequestBody.js';
import { joinBytes } from '../transport/joinBytes.js';

/**
 * The body of a Request in a form that can be sent again: read once into memory if it has at most `limit` bytes; a longer one is passed on as
 * the stream it is, to be sent once. Undefined where there is none. Unsubscribing cancels the reading.
 */
export function bufferBody(request: Request, limit: number): Observable<Body | undefined> {
  const body: ReadableStream<Uint8Array> | null = request.body;
  if (request.bodyUsed) throw new UsageError('The body of this Request was already read; make a new Request for each call');
  if (!body) return of(undefined);
  const type = request.headers.get('content-type');
  return new Observable<Uint8Array | ReadableStream<Uint8Array>>((subscriber) => {
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    let size = 0;
    let reading = true;
    const pump = (): void => {
      reader.read().then(
        ({ done, value }) => {
          if (done) {
            reading = false;
            subscriber.next(joinBytes(chunks, size));
            subscriber.complete();
            return;
          }
          chunks.push(value);
          size += value.byteLength;
          if (size <= limit) {
            pump();
            return;
          }
          reading = false;
          subscriber.next(resumed(chunks, reader));
          subscriber.complete();
        },
        (error: unknown) => {
          reading = false;
          subscriber.error(error);
        },
      );
    };
    pump();
    return () => {
      if (reading) reader.cancel().then(undefined, () => undefined);
    };
  }).pipe(map((read) => (read instanceof Uint8Array ? read : { stream: read, ...(type !== null && { type }) })));
}

/** What was read already, then the rest. */
function resumed(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) {
        controller.enqueue(chunk);
        return undefined;
      }
      return reader.read().then(({ done, value }) => {
        if (done) controller.close();
        else controller.enqueue(value);
      });
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
