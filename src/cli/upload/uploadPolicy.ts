import { isNetworkError } from '../../request/errors/NetworkError.js';
import { policies } from '../../retry/policies.js';
import type { RetryPolicy } from '../../retry/RetryPolicy.js';

const { throttled, transient } = policies.upload.rules;

/** `policies.upload`, with a rule of its own for names that are not resolved: its four waits, 15 s in all, outlast a short failure of DNS. */
export const uploadPolicy: RetryPolicy = {
  ...policies.upload,
  rules: {
    throttled,
    unresolved: { ...transient, matches: (failure) => isUnresolved(failure.error) && transient.matches(failure), retries: 4 },
    transient,
  },
};

function isUnresolved(error: unknown): boolean {
  return isNetworkError(error) && /^(ENOTFOUND|EAI_\w+)$/.test(error.code ?? '');
}
