import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/**
 * Reason of a {@link LimiterError}. `'exhausted'`: the server refused every probe that the policy's count allows; `'max-hint'`: it asks for a
 * longer wait than the policy obeys; `'max-wait'`: the wait is longer than `maxWait`; `'queue-full'`: `maxQueued` wait already; `'never'`: more
 * is asked for than is ever granted.
 */
export type LimiterErrorReason = 'exhausted' | 'max-hint' | 'max-wait' | 'queue-full' | 'never';

/** A limiter refused a request before it was sent; `cause` is the 429 that it goes back to, where there is one. */
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
