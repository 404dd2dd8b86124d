import type { HeadersLike } from '../headers/HeadersLike.js';
import { readable } from '../headers/fields.js';
import { responseIn } from '../request/responseIn.js';
import type { FailedRequest, Failure } from './Failure.js';
import { axios, fetchErrors, type ForeignError, type ForeignReader, statusZero, timeouts } from './foreignErrors.js';
import { readBy, readError } from './readError.js';

/** Readers of other clients' errors, asked in this order. */
const READERS: readonly ForeignReader[] = [timeouts, axios, statusZero, fetchErrors];

/**
 * Reads an error as a failure of a request: coldfetch's own errors, and any that looks like a response (a number `status` and a
 * `headers.get(name)`), such as Angular's `HttpErrorResponse`. Further readers take timeouts of RxJS, axios errors, errors of status 0, and
 * raw failures of `fetch`.
 *
 * @param known the caller's facts about the request; they override those of the error
 */
export function readFailure(error: unknown, known?: FailedRequest): Failure {
  return readError(error, known, readForeign);
}

function readForeign(error: ForeignError): Failure {
  const { response, config } = error;
  const answer = responseIn(error);
  // The config is asked first: on Node the request of an axios error is Node's own, without header fields.
  const request = readRequest(config) ?? readRequest(error.request);
  if (answer && answer.status > 0) {
    const unread = [error, response].find(hasBody);
    return { error, type: 'response', status: answer.status, headers: answer.headers, response: unread, request };
  }
  return { ...readBy(READERS, error, answer), request };
}

function hasBody(value: unknown): value is Response {
  const { body } = (value ?? {}) as { body?: { cancel?: unknown } | null };
  return typeof body?.cancel === 'function';
}

// The method is named by the request of an AjaxError, and by the config of an axios error, in lower case there.
function readRequest(request: unknown): FailedRequest | undefined {
  const { method, headers } = (request ?? {}) as { method?: unknown; headers?: { get?: unknown } };
  if (typeof method !== 'string') return undefined;
  return { method: method.toUpperCase(), headers: fieldsOf(headers) };
}

function fieldsOf(headers: unknown): HeadersLike | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if ('get' in headers && typeof headers.get === 'function') return readable(headers as HeadersLike);
  const fields = Object.entries(headers);
  return { get: (name) => fields.flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [String(value)] : []))[0] ?? null };
}
