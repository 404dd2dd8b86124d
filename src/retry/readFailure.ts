import type { HeadersLike } from '../headers/HeadersLike.js';
import { readable } from '../headers/fields.js';
import { answerIn } from '../request/answerIn.js';
import { isOfCaller } from '../request/errors/callerError.js';
import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import { isHttpError } from '../request/errors/HttpError.js';
import { isNetworkError } from '../request/errors/NetworkError.js';
import { isTimeoutError } from '../request/errors/TimeoutError.js';
import { causeCode, isTerminalFailure, looksLikeNetworkFailure } from '../request/networkError.js';
import type { FailedRequest, Failure } from './Failure.js';

/** Fields that errors of HTTP clients have in common; all of them may be missing. */
interface ForeignError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly response?: unknown;
  readonly request?: unknown;
  readonly config?: unknown;
  /** Cause of an Angular error of status 0. */
  readonly error?: unknown;
}

/** Errors known by name: RxJS's `ajax` and `timeout`, and the platform's `AbortSignal.timeout`. */
const NAMED: Readonly<Record<string, Failure['type']>> = {
  AjaxTimeoutError: 'timeout',
  TimeoutError: 'timeout',
};

/** Codes of axios that are no answer: https://axios-http.com/docs/handling_errors */
const AXIOS_CODES: Readonly<Record<string, Failure['type']>> = {
  ERR_NETWORK: 'network',
  ECONNABORTED: 'timeout',
  ETIMEDOUT: 'timeout',
  ERR_CANCELED: 'terminal',
};
/** A connection's code, as axios has it on Node: ECONNREFUSED, ENOTFOUND, EPIPE, EAI_AGAIN, ... */
const CONNECTION_CODE = /^E(?!RR_)[A-Z_]+$/;

/**
 * Reads an error as a failure of a request: our own errors, and any that looks like a response (a number `status` and a `headers.get(name)`),
 * Angular's `HttpErrorResponse` among them; through small tables RxJS's `AjaxError` and timeouts, axios errors, and raw failures of `fetch`.
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
  const { name, response, config } = error;
  const answer = answerIn(error);
  // The config first: on Node the request of an axios error is Node's own, without header fields.
  const request = readRequest(config) ?? readRequest(error.request);
  if (answer && answer.status > 0) {
    const unread = [error, response].find(hasBody);
    return { error, type: 'response', status: answer.status, headers: answer.headers, response: unread, request };
  }
  const known = NAMED[String(name)] ?? (config === undefined ? undefined : AXIOS_CODES[String(error.code)]);
  if (known) return { error, type: known, request };
  const lost = config !== undefined && CONNECTION_CODE.test(String(error.code));
  if (answer || lost || looksLikeNetworkFailure(error)) {
    const inner = answer ? error.error : undefined;
    const timedOut = NAMED[nameOf(inner)];
    const type = timedOut ?? ([error, inner].some(isTerminalFailure) ? 'terminal' : 'network');
    return { error, type, code: causeCode(error) ?? causeCode(inner), request };
  }
  return { error, type: 'other', request };
}

function nameOf(value: unknown): string {
  return String((value as { name?: unknown } | null | undefined)?.name);
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
