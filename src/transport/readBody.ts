import { from, map, NEVER, Observable, type ObservableInput, of } from 'rxjs';
import { BodyError } from '../request/errors/BodyError.js';
import type { ResponseType } from '../request/HttpRequest.js';
import { joinBytes } from './joinBytes.js';

/** The most decoded bytes that a body read into memory may have, unless told otherwise: 64 MiB. */
export const MAX_BYTES = 67_108_864;

/** What can be read: a Response, or what stands in for one. */
export interface Readable {
  readonly body?: ReadableStream<Uint8Array> | null;
  readonly text?: () => ObservableInput<string>;
}

/** How {@link readBytes} reads. */
export interface ReadOptions {
  /** Most decoded bytes; more is an error, or the end with `truncate`. */
  readonly maxBytes?: number | undefined;
  /** Hears how many decoded bytes have been read so far. */
  readonly progress?: ((loaded: number) => void) | undefined;
  /** Give what fits and let go of the rest, instead of an error. */
  readonly truncate?: boolean;
  /** Give what has come by the time it emits. */
  readonly until$?: Observable<unknown> | undefined;
}

/**
 * Reads a body to its end: the one place that does. Emits its bytes once and completes; unsubscribing cancels the body.
 *
 * It uses only `then` on what the body gives, so that bodies whose reads are synchronous thenables are read in virtual time.
 */
export function readBytes(
  response: Readable,
  { maxBytes = MAX_BYTES, progress, truncate = false, until$ = NEVER }: ReadOptions = {},
): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    // `body` is absent in minimal stand-ins for a Response; those are read by their own methods.
    const { body } = response;
    if (!body) {
      const text$ = body === undefined && response.text ? from(response.text()) : of('');
      subscriber.add(text$.pipe(map((text) => new TextEncoder().encode(text))).subscribe(subscriber));
      return;
    }
    const reader = body.getReader();
    const chunks: Uint8Array[] = [];
    let loaded = 0;
    const cancel = (): void => {
      reader.cancel().then(undefined, () => undefined);
    };
    const end = (): void => {
      subscriber.remove(cancelling);
      subscriber.next(joinBytes(chunks, Math.min(loaded, maxBytes)));
      subscriber.complete();
    };
    const cancelling = { unsubscribe: cancel };
    subscriber.add(cancelling);
    subscriber.add(
      until$.subscribe(() => {
        cancel();
        end();
      }),
    );
    // A read that settles at once is answered in this loop, one that does not by its own callback: no recursion, however many chunks.
    const pump = (): void => {
      // Written by the callbacks below.
      const turn = { sync: true, settled: true };
      while (turn.settled) {
        turn.settled = false;
        turn.sync = true;
        reader.read().then(
          ({ done, value }) => {
            if (subscriber.closed) return;
            if (done) {
              end();
              return;
            }
            chunks.push(value);
            loaded += value.byteLength;
            progress?.(loaded);
            if (loaded > maxBytes) {
              if (truncate) {
                cancel();
                end();
              } else {
                subscriber.error(new BodyError(`The body is longer than ${maxBytes} bytes; raise maxBytes, or read it as a stream`));
              }
            } else if (turn.sync) {
              turn.settled = !subscriber.closed;
            } else {
              pump();
            }
          },
          (error: unknown) => {
            subscriber.remove(cancelling);
            subscriber.error(error);
          },
        );
        turn.sync = false;
      }
    };
    pump();
  });
}

/**
 * A body's bytes as a response type asks: parsed JSON (`null` when empty), text, a Blob, or the bytes. Text is UTF-8, as `fetch` has it.
 *
 * @throws BodyError when JSON does not parse
 */
export function convertBody(bytes: Uint8Array, responseType: ResponseType, headers?: { get(name: string): string | null }): unknown {
  switch (responseType) {
    case 'json': {
      const text = decode(bytes);
      return text.trim() === '' ? null : parseJson(text);
    }
    case 'text':
      return decode(bytes);
    case 'blob':
      return new Blob([bytes], { type: headers?.get('content-type') ?? '' });
    default:
      return bytes;
  }
}

/** {@link readBytes}, then {@link convertBody}. */
export function readBody(response: Response, responseType: ResponseType, options?: ReadOptions): Observable<unknown> {
  return readBytes(response, options).pipe(map((bytes) => convertBody(bytes, responseType, response.headers)));
}

/** Parses JSON; an error says where, never what. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BodyError(`The body is not JSON (${text.length} characters); ask for responseType 'text' to see it`, { cause });
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
