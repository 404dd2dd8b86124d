import { TimeoutError } from '../request/errors/TimeoutError.js';
import type { RequestSummary } from '../request/RequestSummary.js';

/** The idle timeout of a request: silence of the network for that long ends it, moving bytes never do. */
export interface IdleTimeout {
  /** Milliseconds without progress. */
  readonly timeout: number;
  /** Makes the error in which that silence ends. */
  readonly timeoutError: () => TimeoutError;
}

/** The idle timeout of one request. The request's attempt watches it until the headers, the guard of the body from then on. */
export function idleTimeout(timeout: number, request: RequestSummary): IdleTimeout {
  return {
    timeout,
    timeoutError: () => new TimeoutError(`${request.toString()}: no progress for ${timeout} ms`, timeout, { request }),
  };
}
