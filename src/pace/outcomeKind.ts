import { readRateLimit } from '../headers/rateLimit/readRateLimit.js';
import { retryAfter } from '../headers/sources/retryAfter.js';
import { wallClock } from '../time.js';
import type { Outcome } from './Limiter.js';

/**
 * Meaning of an outcome for the server's health: 5xx, no answer, and a 429 that announces no quota are failures. A 429 with quota hints or one
 * that a gate has taken is the gate's affair, and a request that was given up says nothing.
 */
export function outcomeKind(outcome: Outcome): 'success' | 'failure' | 'neither' {
  if (outcome === 'unknown' || outcome.held) return 'neither';
  const { status, headers } = outcome;
  if (status === 429) {
    const hinted = headers && (retryAfter(headers, wallClock()) !== undefined || readRateLimit(headers, wallClock()).length > 0);
    return hinted ? 'neither' : 'failure';
  }
  return status === 0 || status >= 500 ? 'failure' : 'success';
}
