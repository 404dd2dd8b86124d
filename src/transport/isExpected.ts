import type { RequestSummary } from '../request/RequestSummary.js';

/** Whether an answer is no error: a status of success, or a 304 to a request that sent a validator (RFC 9110 section 15.4.5). */
export function isExpected({ ok, status }: Response, { headers }: RequestSummary): boolean {
  return ok || (status === 304 && (headers.has('if-none-match') || headers.has('if-modified-since')));
}
