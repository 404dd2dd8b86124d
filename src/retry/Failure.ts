import type { HeadersLike } from '../headers/HeadersLike.js';

/** The request that failed, as far as it is known; a foreign error may know nothing of it. */
export interface FailedRequest {
  /** Method in upper case. */
  readonly method?: string | undefined;
  readonly headers?: HeadersLike | undefined;
  readonly url?: string | undefined;
  /** False if the body could be sent once only. */
  readonly replayable?: boolean | undefined;
}

/** A failed attempt as the rules see it, whichever library's error it is. */
export interface Failure {
  /** The error itself. */
  readonly error: unknown;
  /** `'response'`: the server answered; `'network'`; `'timeout'`; `'terminal'`: no retry can help; `'other'`: not an error of a request. */
  readonly type: 'response' | 'network' | 'timeout' | 'terminal' | 'other';
  /** The answer's status, if there was one. */
  readonly status?: number | undefined;
  /** The answer's header fields, if there was one. */
  readonly headers?: HeadersLike | undefined;
  /** A network failure's code: `ECONNREFUSED`, ... */
  readonly code?: string | undefined;
  /** The answer itself, where the error carries it unread. */
  readonly response?: Response | undefined;
  readonly request?: FailedRequest | undefined;
}
