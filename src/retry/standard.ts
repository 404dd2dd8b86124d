import { retryAfter } from '../headers/sources/retryAfter.js';
import { CAP, TIMEOUT } from '../request/defaults.js';
import { fullJitter } from './backoff/fullJitter.js';
import { quotaExhausted } from './classify/quotaExhausted.js';
import { failures } from './failures.js';
import type { RetryPolicy, RetryRule } from './RetryPolicy.js';

/** A policy with one counter for 429s and one for transient failures. */
export type PolicyApart = RetryPolicy & { readonly rules: Readonly<Record<'throttled' | 'transient', RetryRule>> };

const { anyOf, status, unanswered } = failures;

/** Fields that most policies share. */
export const always = { deadline: Infinity, timeout: TIMEOUT, maxHint: Infinity, random: Math.random, classify: quotaExhausted } as const;
/** Matches 429s. */
export const throttled = status(429);
/** Full jitter from 1 s to 60 s. */
export const jitter = fullJitter({ base: 1000, cap: CAP });
/** Fields of a rule that caps the server's delay. */
export const capped = { backoff: jitter, sources: { retryAfter }, hint: 'capped', cap: CAP } as const;

/** The default policy. It stands apart from the others, which only a bundle that names one of them carries. */
export const standard: PolicyApart = deepFreeze({
  ...always,
  rules: {
    throttled: { ...capped, matches: throttled, retries: 5, replay: 'any' },
    transient: { ...capped, matches: anyOf(status(408, 425, 500, 502, 503, 504), unanswered), retries: 3, replay: 'idempotent' },
  },
});

/** Freezes an object and everything that it holds. */
export function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value) as unknown[]) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
