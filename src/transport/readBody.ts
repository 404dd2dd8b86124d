import { from, map, Observable, type ObservableInput, of } from 'rxjs';
import { BodyError } from '../request/errors/BodyError.js';
import type { ResponseType } from '../request/HttpRequest.js';
import { htmlPage } from '../request/jsonProblem.js';
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

/** Parses JSON; an error says where, never what. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BodyError(notJson(text), { cause });
  }
}

/** Message about a text that should be JSON. */
export function notJson(text: string): string {
  const page = htmlPage(text);
  if (page === undefined) return `The body is not JSON (${text.length} characters); ask for responseType 'text' to see it`;
  return `The body is ${page}, not JSON: a login or a proxy may have answered; check the URL and the credentials`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
