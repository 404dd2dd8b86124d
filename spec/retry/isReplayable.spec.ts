import { describe, expect, it } from 'vitest';
import type { RetryRule } from 'coldfetch';
import type { FailedRequest } from '../../src/retry/Failure.js';
import { isReplayable } from '../../src/retry/isReplayable.js';

const rule: RetryRule = { matches: () => true, retries: 1, backoff: () => 0, hint: 'minimum', replay: 'any' };
const replayable = (replay: 'any' | 'idempotent', request?: FailedRequest): boolean =>
  isReplayable({ ...rule, replay }, { error: new Error('lost'), type: 'network', request });

describe('isReplayable', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])('takes %s by its method (RFC 9110 section 9.2.2)', (method) => {
    expect(replayable('idempotent', { method })).toBe(true);
  });

  it.each(['POST', 'PATCH', 'PROPFIND'])('takes %s with an idempotency key only', (method) => {
    expect(replayable('idempotent', { method })).toBe(false);
    expect(replayable('idempotent', { method, headers: new Headers({ 'Idempotency-Key': '"a"' }) })).toBe(true);
    expect(replayable('idempotent', { method, headers: new Headers({ 'Idempotency-Key': '' }) })).toBe(false);
  });

  it('takes every method where the rule does', () => {
    expect(replayable('any', { method: 'POST' })).toBe(true);
  });

  it('takes no body that could be sent once, whatever the rule', () => {
    expect(replayable('any', { method: 'PUT', replayable: false })).toBe(false);
  });

  it('takes what nothing is known of: the caller put the operator there', () => {
    expect(replayable('idempotent')).toBe(true);
    expect(replayable('idempotent', {})).toBe(true);
  });
});
