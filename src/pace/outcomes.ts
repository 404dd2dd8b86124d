import { readRateLimit } from '../headers/rateLimit/readRateLimit.js';
import { retryAfter } from '../headers/sources/retryAfter.js';
import { responseIn } from '../request/responseIn.js';
import { wallClock } from '../time.js';
import type { Outcome, Refusal, ResponseOutcome } from './Limiter.js';

/** A value or an error read as an answer, if it looks like one: a number `status` and, where there are any, header fields. */
export function answerOf(value: unknown): ResponseOutcome | undefined {
  const error = value instanceof Error ? value : undefined;
  const found = responseIn(value);
  if (found) return { ...found, error };
  if (typeof value !== 'object' || value === null || !('status' in value) || typeof value.status !== 'number') return undefined;
  return { status: value.status, error };
}

/**
 * Meaning of an outcome for the server's health: 5xx, no response, and a 429 that announces no quota are failures. A 429 with quota hints,
 * or one that a gate has taken, concerns the gate alone, and a request that was given up proves nothing.
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

/** A delay that a server asks for. */
export interface AskedDelay {
  /** Delay in ms, counted from the response. */
  readonly delay: number;
  /** Name of the field that it was read from. */
  readonly source: string;
  /** True if no policy shortens the delay: an announced quota is used up until then. */
  readonly binding?: boolean;
}

/** The delay that a refusal asks for, where it counts. */
export function hintOf({ delay, source = 'retryAfter', binding }: Refusal): AskedDelay | undefined {
  return delay === undefined ? undefined : { delay, source, binding };
}
