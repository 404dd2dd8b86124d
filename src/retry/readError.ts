import { isOfCaller } from '../request/errors/causes.js';
import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import { isHttpError } from '../request/errors/HttpError.js';
import { isNetworkError } from '../request/errors/NetworkError.js';
import { isTimeoutError } from '../request/errors/TimeoutError.js';
import { isTerminalFailure } from '../request/networkError.js';
import type { FailedRequest, Failure } from './Failure.js';
import type { ForeignError, ForeignReader } from './foreignErrors.js';

/**
 * Reads an error as a failure of a request: coldfetch's own errors here, others by `readForeign`.
 *
 * @param known the caller's facts about the request; they override those of the error
 */
export function readError(error: unknown, known: FailedRequest | undefined, readForeign: (error: ForeignError) => Failure): Failure {
  const failure = readOwn(error) ?? (typeof error === 'object' && error !== null ? readForeign(error) : { error, type: 'other' });
  return known ? { ...failure, request: { ...failure.request, ...known } } : failure;
}

function readOwn(error: unknown): Failure | undefined {
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
  return undefined;
}

/** Reads an error without a response by the first of several readers that knows it. @param found the response, of status 0, if there is one */
export function readBy(
  readers: readonly ForeignReader[],
  error: ForeignError,
  found: Parameters<ForeignReader>[1],
): Pick<Failure, 'error' | 'type' | 'code'> {
  for (const read of readers) {
    const failure = read(error, found);
    if (failure) return { error, ...failure };
  }
  return { error, type: 'other' };
}
