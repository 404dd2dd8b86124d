import { failures } from '../retry/failures.js';
import type { RetryRule } from '../retry/RetryPolicy.js';

/**
 * A rule that sends a request again at once after a 401, one time: for a client whose `beforeRetry` renews the refused credentials. The
 * server has done nothing for a request that it answers with a 401, so any method is repeated. Put it before the rules of a policy.
 *
 * @example
 * const http = createClient({
 *   headers: () => ({ authorization: `Bearer ${session.token}` }),
 *   retry: { rules: { unauthorized, ...policies.standard.rules } },
 *   beforeRetry: (_, error) => (isHttpError(error) && error.status === 401 ? session.renew() : undefined),
 * });
 */
export const unauthorized: RetryRule = Object.freeze({
  matches: failures.status(401),
  retries: 1,
  backoff: () => 0,
  hint: 'capped',
  replay: 'any',
});
