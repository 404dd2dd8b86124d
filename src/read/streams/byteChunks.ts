import {
  catchError,
  concatMap,
  defer,
  dematerialize,
  EMPTY,
  isObservable,
  map,
  materialize,
  mergeMap,
  type MonoTypeOperatorFunction,
  Observable,
  tap,
} from 'rxjs';
import { BodyError } from '../../request/errors/BodyError.js';
import { TimeoutError } from '../../request/errors/TimeoutError.js';
import { watchdog } from '../../time.js';
import { loop } from '../loop.js';
import type { ByteSource } from './ByteSource.js';

/** Options of {@link byteChunks}. */
export interface ChunkOptions {
  /** Milliseconds without a chunk during a read after which it fails with a TimeoutError; `Infinity`, the default: never. */
  readonly timeout?: number | undefined;
  /** Makes the TimeoutError. */
  readonly silent?: (() => TimeoutError) | undefined;
  /** Emits when the next chunk may be read; at once by default. */
  readonly idle$?: Observable<unknown> | undefined;
}

/**
 * The chunks of a byte source as they arrive. A stream is read only as fast as its chunks are taken: the next read begins when everything
 * downstream has returned from the chunk before, and `idle$` has emitted. Unsubscribing cancels the stream.
 *
 * A stream with another reader, or one that was read already, is a {@link BodyError}.
 */
export function byteChunks(source: ByteSource, { timeout, silent, idle$ }: ChunkOptions = {}): Observable<Uint8Array> {
  if (source === null) return EMPTY;
  if (isObservable(source)) {
    const chunks$ = source.pipe(streamTimeout(timeout, silent));
    // An observable cannot be held back; its chunks and its end can.
    return idle$
      ? chunks$.pipe(
          materialize(),
          concatMap((note) => idle$.pipe(map(() => note))),
          dematerialize(),
        )
      : chunks$;
  }
  return new Observable((subscriber) => {
    // The idle timeout is taken before the body is touched: at that moment a watched response pipes its body through a counter, which uses
    // the body underneath.
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
    const read$ = defer(() => reader.read()).pipe(
      tap({
        next: ({ done }) => (state.ended = done),
        error: () => (state.ended = true),
      }),
      streamTimeout(timeout, silent),
      mergeMap(({ value }) => (value ? [value] : [])),
    );
    const chunk$ = idle$ ? idle$.pipe(concatMap(() => read$)) : read$;
    subscriber.add(loop(() => (state.ended ? undefined : chunk$)).subscribe(subscriber));
  });
}

// A rejected cancellation concerns nobody any more.
function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  defer(() => reader.cancel())
    .pipe(catchError(() => EMPTY))
    .subscribe();
}

/**
 * Fails with a TimeoutError when nothing has come for `ms`, counted from the subscription and from each value.
 *
 *     source  a 1s b ----------
 *     output  a 1s b 3s #          streamTimeout(3000)
 *
 * @param ms milliseconds; `Infinity`: never
 * @param silent makes the error
 */
function streamTimeout<T>(
  ms = Infinity,
  silent = () => new TimeoutError(`The stream was silent for ${ms} ms`, ms),
): MonoTypeOperatorFunction<T> {
  if (ms === Infinity) return (source) => source;
  return (source) =>
    new Observable((subscriber) => {
      const watch = watchdog(ms, () => {
        subscriber.error(silent());
      });
      subscriber.add(watch);
      watch.touch();
      subscriber.add(source.pipe(tap(() => watch.touch())).subscribe(subscriber));
    });
}
