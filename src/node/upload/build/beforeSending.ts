import { isNetworkError } from '../../../request/errors/NetworkError.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import type { Failure } from '../../../retry/Failure.js';
import { policies } from '../../../retry/policies.js';
import type { RetryPolicyInput } from '../../../retry/RetryPolicy.js';

/** Policy that retries only failures before the API has read a request: for a request that is not idempotent. */
export function beforeSending({ rules = policies.standard.rules, ...policy }: RetryPolicyInput<HttpEvent>): RetryPolicyInput<HttpEvent> {
  const harmless = ({ status, error }: Failure): boolean => status === 429 || isUnsent(error);
  return {
    ...policy,
    rules: Object.fromEntries(
      Object.entries(rules).map(([kind, rule]) => [
        kind,
        { ...rule, replay: 'any', matches: (failure: Failure) => harmless(failure) && rule.matches(failure) },
      ]),
    ),
  };
}

/**
 * Header fields of a request whose connection nobody uses again. A server may close an idle connection just as the next request is sent by it, and of a
 * request for a build nobody could tell then whether it arrived: it goes by a new connection each time.
 */
export const LAST_OF_CONNECTION = { connection: 'close' } as const;

/** True if a request failed before any of it was sent. */
export function isUnsent(error: unknown): boolean {
  return isNetworkError(error) && error.unsent;
}
