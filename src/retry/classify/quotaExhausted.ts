import { map } from 'rxjs';
import type { Classify } from '../RetryPolicy.js';

const CODE = 'insufficient_quota';
/** The problem type of draft-ietf-httpapi-ratelimit-headers, section "Quota Exceeded". */
const PROBLEM = 'https://iana.org/assignments/http-problem-types#quota-exceeded';
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\b/i;

/**
 * A `classify` hook: a 429 whose JSON says that the quota is used up is terminal, since no wait of an operation's length fills it again.
 * The quota is used up where `error.code` or `error.type` is `insufficient_quota` (OpenAI and compatible APIs), and where the problem type
 * is `quota-exceeded` (RFC 9457, draft-ietf-httpapi-ratelimit-headers). The words of a message decide nothing.
 *
 * Only 429s of a JSON media type are looked at. All policies have the hook; `classify: () => undefined` switches it off.
 */
export const quotaExhausted: Classify = ({ status, headers }, peek) =>
  status === 429 && JSON_TYPE.test(headers?.get('content-type') ?? '')
    ? peek().pipe(map((text) => (saysUsedUp(text) ? 'terminal' : undefined)))
    : undefined;

function saysUsedUp(text: string): boolean {
  try {
    const { type, error } = (JSON.parse(text) ?? {}) as { type?: unknown; error?: { code?: unknown; type?: unknown } | null };
    return type === PROBLEM || error?.code === CODE || error?.type === CODE;
  } catch {
    // The rules decide about a body that is not JSON, or is longer than a peek.
    return false;
  }
}
