import { catchError, defer, EMPTY, from, isObservable, mergeMap, Observable, tap } from 'rxjs';
import { BodyError } from '../request/errors/BodyError.js';
import { loop } from './loop.js';

/** Where bytes come from: a response, its body, or an observable of chunks. */
export type ByteSource = Response | ReadableStream<Uint8Array> | Observable<Uint8Array>;

/**
 * The chunks of a byte source as they arrive. A stream is read only as fast as its chunks are taken: the next read begins when everybody
 * downstream has returned from the one before. Unsubscribing cancels the stream.
 *
 * A stream that somebody else reads, or has read, is a {@link BodyError}.
 */
export function byteChunks(source: ByteSource): Observable<Uint8Array> {
  if (isObservable(source)) return source;
  return new Observable((subscriber) => {
    // Asked before the body is touched: a watched response pipes it through a counter at that moment, which uses the one underneath.
    const used = 'bodyUsed' in source && source.bodyUsed;
    const stream: ReadableStream<Uint8Array> | null = 'getReader' in source ? source : source.body;
    if (!stream) {
      subscriber.complete();
      return;
    }
    if (used || stream.locked) {
      subscriber.error(new BodyError('The body has another reader, or has been read already; a stream can be read once'));
      return;
    }
    const reader = stream.getReader();
    const state = { ended: false };
    subscriber.add(() => {
      if (!state.ended) cancel(reader);
    });
    const chunks$ = loop(() =>
      state.ended
        ? undefined
        : from(reader.read()).pipe(
            tap({
              next: ({ done }) => (state.ended = done),
              error: () => (state.ended = true),
            }),
            mergeMap(({ value }) => (value ? [value] : [])),
          ),
    );
    subscriber.add(chunks$.subscribe(subscriber));
  });
}

// What the stream's source says to being cancelled concerns nobody any more.
function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  defer(() => reader.cancel())
    .pipe(catchError(() => EMPTY))
    .subscribe();
}
