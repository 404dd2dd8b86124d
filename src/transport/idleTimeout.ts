import { TimeoutError } from '../request/errors/TimeoutError.js';
import type { RequestSummary } from '../request/RequestSummary.js';

/** The idle timeout of a request: silence of the network for so long ends it, while bytes that move never do. */
export interface IdleTimeout {
  /** Milliseconds without progress. */
  readonly timeout: number;
  /** Makes the error that silence for so long ends in. */
  readonly timeoutError: () => TimeoutError;
}

/** The idle timeout of one request, which its attempt watches until the headers and its body's guard from then on. */
export function idleTimeout(timeout: number, request: RequestSummary): IdleTimeout {
  return {
    timeout,
    timeoutError: () => new TimeoutError(`${request.toString()}: no progress for ${timeout} ms`, timeout, { request }),
  };
}
