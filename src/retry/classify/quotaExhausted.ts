import { map } from 'rxjs';
import type { Classify } from '../RetryPolicy.js';

const CODE = 'insufficient_quota';
/** The problem type of draft-ietf-httpapi-ratelimit-headers, section "Quota Exceeded". */
const PROBLEM = 'https://iana.org/assignments/http-problem-types#quota-exceeded';
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\b/i;

/**
 * A `classify` hook: a 429 whose JSON says that the quota is used up is terminal, since no wait that an operation could make fills it again.
 * It is used up where `error.code` or `error.type` is `insufficient_quota` (OpenAI and those who speak like it) and where the problem type is
 * `quota-exceeded` (RFC 9457, draft-ietf-httpapi-ratelimit-headers). The words in a message decide nothing.
 *
 * Only 429s of a JSON media type are looked at. All policies have it; `classify: () => undefined` switches it off.
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
    // Not JSON, or longer than a peek: the rules decide.
    return false;
  }
}
