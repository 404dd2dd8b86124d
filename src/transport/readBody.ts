import { from, identity, Observable, type ObservableInput, of } from 'rxjs';
import { takeKept } from './keptBodies.js';
import { readAll, type ReadAllOptions } from './readAll.js';

/** A Response, or a stand-in for one. */
export interface Readable {
  readonly body?: ReadableStream<Uint8Array> | null;
  readonly text?: () => ObservableInput<string>;
}

/** Options of {@link readBytes}. */
export interface ReadOptions extends ReadAllOptions {
  /** Ends the reading with the bytes so far when it emits. */
  readonly until$?: Observable<unknown> | undefined;
}

/** A body's bytes, read by {@link readAll}: emits them once and completes; unsubscribing cancels the body. */
export function readBytes(response: Readable, options: ReadOptions = {}): Observable<Uint8Array> {
  return readAs(response, options, identity);
}

/** A body's bytes, converted; see {@link readBytes}. An error of `convert` becomes the observable's. */
export function readAs<T>(response: Readable, { until$, ...options }: ReadOptions, convert: (bytes: Uint8Array) => T): Observable<T> {
  return new Observable((subscriber) => {
    const end = (bytes: Uint8Array): void => {
      let made: T;
      try {
        made = convert(bytes);
      } catch (error) {
        subscriber.error(error);
        return;
      }
      subscriber.next(made);
      subscriber.complete();
    };
    // The field `body` is absent in minimal stand-ins for a Response; their own methods read them.
    const { body } = response;
    const bytes = takeKept(response);
    if (bytes) {
      end(bytes.subarray(0, options.maxBytes));
      return;
    }
    if (!body) {
      const text$ = body === undefined && response.text ? from(response.text()) : of('');
      const encoder = new TextEncoder();
      subscriber.add(text$.subscribe({ next: (text) => end(encoder.encode(text)), error: (error: unknown) => subscriber.error(error) }));
      return;
    }
    const { cancel, stop } = readAll(body, options, end, (error) => {
      subscriber.error(error);
    });
    subscriber.add(cancel);
    if (until$) subscriber.add(until$.subscribe(stop));
  });
}

/** Bytes as text: UTF-8, as with `fetch`. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
