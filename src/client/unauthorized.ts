import { failures } from '../retry/failures.js';
import type { RetryRule } from '../retry/RetryPolicy.js';

/**
 * A rule that sends a request again at once after a 401, one time: for a client whose `beforeRetry` renews what the server did not accept.
 * Nothing was done for a request that is answered so, which is why any method is repeated. It goes before the rules of a policy.
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
