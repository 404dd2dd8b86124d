import type { Classify, Verdict } from '../RetryPolicy.js';

/** The field of OpenAI and Anthropic, and Stripe's. */
const FIELDS = ['x-should-retry', 'stripe-should-retry'];

const VERDICTS: ReadonlyMap<string | undefined, Verdict> = new Map([
  ['true', 'retry'],
  ['false', 'terminal'],
]);

/**
 * A `classify` hook: obeys a server that says by `x-should-retry` or `stripe-should-retry` whether its answer is worth another attempt.
 * `false` is terminal; `true` retries statuses too that no rule takes (a 409 that lost a lock), within the last rule's count, its replay
 * safety and the deadline. Opt-in: who trusts the server with it says so.
 *
 * @example
 * asFetch({ retry: { ...policies.api, classify: firstVerdict(quotaExhausted, shouldRetryHeader) } });
 */
export const shouldRetryHeader: Classify = ({ headers }) =>
  FIELDS.map((name) => VERDICTS.get(headers?.get(name)?.trim().toLowerCase())).find((verdict) => verdict !== undefined);
