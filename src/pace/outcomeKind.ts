import { readRateLimit } from '../headers/readRateLimit.js';
import { retryAfter } from '../headers/sources/retryAfter.js';
import { wallClock } from '../time.js';
import type { Outcome } from './Limiter.js';

/**
 * What an outcome says of the server's health: 5xx, no answer, and a 429 that announces no quota are failures. A 429 with quota hints is the
 * gate's affair, and what was given up says nothing.
 */
export function outcomeKind(outcome: Outcome): 'success' | 'failure' | 'neither' {
  if (outcome === 'unknown') return 'neither';
  const { status, headers } = outcome;
  if (status === 429) {
    const hinted = headers && (retryAfter(headers, wallClock()) !== undefined || readRateLimit(headers, wallClock()).length > 0);
    return hinted ? 'neither' : 'failure';
  }
  return status === 0 || status >= 500 ? 'failure' : 'success';
}
