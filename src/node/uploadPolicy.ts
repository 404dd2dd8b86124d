import { isNetworkError } from '../request/errors/NetworkError.js';
import { exponential } from '../retry/backoff/exponential.js';
import { policies } from '../retry/policies.js';
import type { PolicyApart } from '../retry/standard.js';
import type { RetryPolicy, RetryRule } from '../retry/RetryPolicy.js';

/**
 * Rule for names that are not resolved: its waits, 15 s in all, outlast a short failure of DNS. Nothing was sent, so that any method may be
 * repeated.
 */
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

/**
 * Policy of uploads, that of `uploadBuild` and its like by default: `policies.upload`, with a rule of its own, `unresolved`, for names that are not
 * resolved. Its four waits, 1, 2, 4 and 8 s, outlast a short failure of DNS.
 *
 * @example
 * uploadBuild(http, files, { commit, branch, retry: { ...uploadPolicy, deadline: 600_000 } }).subscribe();
 */
export const uploadPolicy: UploadPolicy = Object.freeze(withUnresolved(policies.upload));

/** The type of {@link uploadPolicy}: its rules are known by name. */
export type UploadPolicy = PolicyApart & { readonly rules: Readonly<Record<'unresolved', RetryRule>> };
