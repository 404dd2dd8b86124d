import { printable } from '../printable.js';
import type { RequestSummary } from '../RequestSummary.js';
import { ColdfetchError, hasBrand, hidden, hiddenGetter } from './ColdfetchError.js';

/** Characters of a reason phrase that a message shows. */
const MAX_REASON = 200;

/**
 * The server answered with a status outside 200 to 299.
 *
 * @example
 * http.get<User>('/users/1').pipe(catchError((error) => (isHttpError(error) && error.status === 404 ? of(undefined) : throwError(() => error))));
 */
export class HttpError extends ColdfetchError {
  readonly status: number;
  /** The response, its body unread (read up to 64 KiB into `body` by a client's `get()` and friends). Not enumerable. */
  declare readonly response: Response;
  /** Header fields of the response. Not enumerable. */
  declare readonly headers: Headers;
  /** The error body, up to 64 KiB of it, where a client read it: parsed if it is JSON, else text. Not enumerable. */
  declare body: unknown;
  declare readonly request: RequestSummary;

  constructor(response: Response, request: RequestSummary) {
    const reason = printable(response.statusText, MAX_REASON);
    super('HttpError', `${request.toString()}: ${response.status} ${reason}`.trimEnd(), { request });
    this.status = response.status;
    // Getters hide the values: `inspect` with `showHidden` would print the response, its URL and cookies otherwise.
    hiddenGetter(this, 'response', () => response);
    hiddenGetter(this, 'headers', () => response.headers);
    hidden(this, 'body', undefined);
  }
}

/** True if `value` is an {@link HttpError}, of whichever copy or realm. */
export function isHttpError(value: unknown): value is HttpError {
  return hasBrand(value, 'HttpError');
}

/** True if a response is no error: a status of success, or a 304 to a request that sent a validator (RFC 9110 section 15.4.5). */
export function isExpected({ ok, status }: Response, { headers }: RequestSummary): boolean {
  return ok || (status === 304 && (headers.has('if-none-match') || headers.has('if-modified-since')));
}
