import type { Failure } from './Failure.js';
import type { RetryRule } from './RetryPolicy.js';

/** Methods whose repetition changes nothing more (RFC 9110 section 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];

/**
 * Whether what failed may be sent again: its body can be made anew, and the rule takes its method, or it carries an idempotency key. A foreign
 * error whose method is unknown counts as replayable: the caller put the operator there.
 */
export function isReplayable({ replay }: RetryRule, { request }: Failure): boolean {
  if (!request) return true;
  const { method, headers, replayable = true } = request;
  if (!replayable) return false;
  return replay === 'any' || method === undefined || IDEMPOTENT.includes(method) || Boolean(headers?.get('idempotency-key'));
}
