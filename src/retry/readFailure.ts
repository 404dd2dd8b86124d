import type { HeadersLike } from '../headers/HeadersLike.js';
import { readable } from '../headers/fields.js';
import { answerIn } from '../request/answerIn.js';
import { isOfCaller } from '../request/errors/causes.js';
import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import { isHttpError } from '../request/errors/HttpError.js';
import { isNetworkError } from '../request/errors/NetworkError.js';
import { isTimeoutError } from '../request/errors/TimeoutError.js';
import { isTerminalFailure } from '../request/networkError.js';
import type { FailedRequest, Failure } from './Failure.js';
import { axios, fetchErrors, type ForeignError, type ForeignReader, statusZero, timeouts } from './foreignErrors.js';

/** Readers of other clients' errors, asked in this order. */
const READERS: readonly ForeignReader[] = [timeouts, axios, statusZero, fetchErrors];

/**
 * Reads an error as a failure of a request: our own errors, and any that looks like a response (a number `status` and a `headers.get(name)`),
 * Angular's `HttpErrorResponse` among them; through a reader for each, timeouts of RxJS, axios errors, errors of status 0, and raw failures of `fetch`.
 *
 * @param known what the caller says of the request; it counts more than what the error says
 */
export function readFailure(error: unknown, known?: FailedRequest): Failure {
  const failure = readError(error);
  return known ? { ...failure, request: { ...failure.request, ...known } } : failure;
}

function readError(error: unknown): Failure {
  if (isOfCaller(error)) return { error, type: 'terminal' };
  if (isHttpError(error)) {
    return { error, type: 'response', status: error.status, headers: error.headers, response: error.response, request: error.request };
  }
  if (isColdfetchError(error)) {
    const { request } = error;
    if (isTimeoutError(error)) return { error, type: 'timeout', request };
    if (isNetworkError(error)) return { error, type: isTerminalFailure(error) ? 'terminal' : 'network', code: error.code, request };
    return { error, type: 'terminal', request };
  }
  return typeof error === 'object' && error !== null ? readForeign(error) : { error, type: 'other' };
}

function readForeign(error: ForeignError): Failure {
  const { response, config } = error;
  const answer = answerIn(error);
  // The config first: on Node the request of an axios error is Node's own, without header fields.
  const request = readRequest(config) ?? readRequest(error.request);
  if (answer && answer.status > 0) {
    const unread = [error, response].find(hasBody);
    return { error, type: 'response', status: answer.status, headers: answer.headers, response: unread, request };
  }
  for (const read of READERS) {
    const failure = read(error, answer);
    if (failure) return { error, ...failure, request };
  }
  return { error, type: 'other', request };
}

function hasBody(value: unknown): value is Response {
  const { body } = (value ?? {}) as { body?: { cancel?: unknown } | null };
  return typeof body?.cancel === 'function';
}

// Both the request of an AjaxError and the config of an axios error name the method; axios in lower case.
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
