import { github } from '../headers/sources/github.js';
import { retryAfter, retryAfterSeconds } from '../headers/sources/retryAfter.js';
import { CAP } from '../request/defaults.js';
import { exponential } from './backoff/exponential.js';
import { fullJitter } from './backoff/fullJitter.js';
import { isRateLimited } from './isRateLimited.js';
import { failures } from './failures.js';
import type { RetryPolicy, RetryRule } from './RetryPolicy.js';
import { always, capped, deepFreeze, jitter, type PolicyApart, standard, throttled } from './standard.js';

const { anyOf, serverError, status, unanswered } = failures;

const doubling = exponential({ base: 1000, cap: CAP });

const minimum = { sources: { retryAfter }, hint: 'minimum', replay: 'idempotent' } as const;
const spread = { ...minimum, spread: 0.1 } as const;
const transient = anyOf(status(408, 425), serverError(501), unanswered);

const together = (rule: RetryRule): PolicyTogether['rules'] => ({ retryable: rule });

/**
 * The policies of the field, deep-frozen; a policy of one's own is a spread of one of them.
 *
 * | policy | for | it costs |
 * |---|---|---|
 * | `standard` | anything; what `retryAfter()`, `createClient()` and `asFetch()` do when told nothing | at most 5 waits of 60 s for 429s and 3 for failures |
 * | `upload` | uploads to a rate-limited API in CI, every method | the same, without jitter: clients that fail together return together |
 * | `api` | calls to a public API that says when to come back | up to 120 s |
 * | `interactive` | somebody is waiting | up to 15 s |
 * | `batch` | a step of a job that would rather fail than hang | up to 30 s |
 * | `patient` | work that must arrive, however often the server says later | up to 30 min |
 *
 * They mean the same by `retryAfter` and by a client, with a pacer and without, but for an announced quota that is used up: until its reset the
 * pacer sends nothing, whatever the cap.
 *
 * To all of them a quota that is used up is terminal: `classify` is `quotaExhausted`.
 *
 * @example
 * source$.pipe(retryAfter({ ...policies.api, deadline: 10_000 }));
 */
export const policies = deepFreeze({
  standard,
  upload: {
    ...always,
    rules: {
      throttled: {
        ...capped,
        backoff: doubling,
        sources: { retryAfter: retryAfterSeconds },
        matches: throttled,
        retries: 5,
        replay: 'any',
      },
      transient: { matches: anyOf(serverError(), unanswered), retries: 3, backoff: doubling, hint: 'capped', replay: 'any' },
    },
  },
  api: {
    ...always,
    deadline: 120_000,
    rules: together({
      ...minimum,
      sources: { retryAfter, github },
      matches: anyOf(isRateLimited, status(408, 500, 502, 503, 504), unanswered),
      retries: 3,
      backoff: jitter,
    }),
  },
  interactive: {
    ...always,
    deadline: 15_000,
    timeout: 10_000,
    offline: 'wait',
    rules: together({ ...spread, matches: anyOf(throttled, transient), retries: 4, backoff: fullJitter({ base: 500, cap: 20_000 }) }),
  },
  batch: {
    ...always,
    deadline: 30_000,
    timeout: 15_000,
    rules: together({
      ...minimum,
      matches: anyOf(throttled, transient),
      retries: 3,
      backoff: exponential({ base: 300, cap: 8000, jitter: 300 }),
    }),
  },
  patient: {
    ...always,
    deadline: 1_800_000,
    offline: 'wait',
    rules: {
      throttled: { ...spread, matches: throttled, retries: Infinity, backoff: jitter, replay: 'any' },
      transient: { ...spread, matches: transient, retries: 3, backoff: jitter, replay: 'any' },
    },
  },
} satisfies Readonly<Record<string, RetryPolicy>>) as Policies;

/** A policy with one counter for all failures. */
export type PolicyTogether = RetryPolicy & { readonly rules: Readonly<Record<'retryable', RetryRule>> };

/** The type of {@link policies}: the rules of each are known by name. */
export type Policies = Readonly<
  Record<'standard' | 'upload' | 'patient', PolicyApart> & Record<'api' | 'interactive' | 'batch', PolicyTogether>
>;

/** The names of {@link policies}. */
export type PolicyName = keyof Policies;
