import { isNetworkError } from '../../request/errors/NetworkError.js';
import { exponential } from '../../retry/backoff/exponential.js';
import type { RetryPolicy, RetryRule } from '../../retry/RetryPolicy.js';

/** Rule for names that are not resolved: its waits, 15 s in all, outlast a short failure of DNS. Nothing was sent, so that any method may be repeated. */
const unresolved: RetryRule = Object.freeze({
  matches: ({ error }) => isNetworkError(error) && /^(ENOTFOUND|EAI_\w+)$/.test(error.code ?? ''),
  retries: 4,
  backoff: exponential({ base: 1000, cap: 8000 }),
  hint: 'capped',
  replay: 'any',
} satisfies RetryRule);

/** A policy with a rule of its own, `unresolved`, for names that are not resolved, before its others. */
export function withUnresolved<Policy extends RetryPolicy>(
  policy: Policy,
): Policy & { readonly rules: Readonly<Record<'unresolved', RetryRule>> } {
  return { ...policy, rules: Object.freeze({ unresolved, ...policy.rules }) };
}
