import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/**
 * Reason of a {@link LimiterError}. `'exhausted'`: the server refused as many probes as the policy's count allows; `'max-hint'`: the server
 * asks for a longer wait than the policy obeys; `'max-wait'`: the wait is longer than `maxWait`; `'queue-full'`: `maxQueued` requests wait
 * already; `'never'`: the request asks for more than is ever granted.
 */
export type LimiterErrorReason = 'exhausted' | 'max-hint' | 'max-wait' | 'queue-full' | 'never';

/** A limiter refused a request before it was sent; `cause` is the 429 behind the refusal, where there is one. */
export class LimiterError extends ColdfetchError {
  readonly reason: LimiterErrorReason;

  constructor(message: string, { reason, ...options }: ColdfetchErrorOptions & { readonly reason: LimiterErrorReason }) {
    super('LimiterError', message, options);
    this.reason = reason;
  }
}

/** True if `value` is a {@link LimiterError}, of whichever copy or realm. */
export function isLimiterError(value: unknown): value is LimiterError {
  return hasBrand(value, 'LimiterError');
}
