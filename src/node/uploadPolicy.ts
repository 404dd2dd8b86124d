import { policies, type PolicyApart } from '../retry/policies.js';
import type { RetryRule } from '../retry/RetryPolicy.js';
import { withUnresolved } from './upload/withUnresolved.js';

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
