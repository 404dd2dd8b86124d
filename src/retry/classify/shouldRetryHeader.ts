import type { Classify, Verdict } from '../RetryPolicy.js';

/** The field of OpenAI and Anthropic, and Stripe's. */
const FIELDS = ['x-should-retry', 'stripe-should-retry'];

const VERDICTS: ReadonlyMap<string | undefined, Verdict> = new Map([
  ['true', 'retry'],
  ['false', 'terminal'],
]);

/**
 * A `classify` hook: obeys a server that says by `x-should-retry` or `stripe-should-retry` whether its response is worth another attempt.
 * `false` is terminal; `true` retries even statuses that no rule takes (a 409 that lost a lock), within the last rule's count, its replay
 * safety and the deadline. The hook is opt-in: it trusts the server with the decision.
 *
 * @example
 * asFetch({ retry: { ...policies.api, classify: firstVerdict(quotaExhausted, shouldRetryHeader) } });
 */
export const shouldRetryHeader: Classify = ({ headers }) =>
  FIELDS.map((name) => VERDICTS.get(headers?.get(name)?.trim().toLowerCase())).find((verdict) => verdict !== undefined);
