import { Subject } from 'rxjs';
import { checkOptions, FROM_1, isFrom1, type OptionRule, type OptionTable, requireThat } from '../request/checkOptions.js';
import type { Limiter, Outcome } from './Limiter.js';
import { makePermit } from './makePermit.js';
import { outcomeKind } from './outcomes.js';
import { queued } from './queue/LimiterQueue.js';

/** Bounds and steps of an adaptive number of requests in flight. */
export interface AdaptiveConcurrencyOptions {
  /** Requests in flight at the start; 4 by default. */
  readonly initial?: number | undefined;
  /** Fewest requests in flight; 1 by default. */
  readonly min?: number | undefined;
  /** Most requests in flight; 64 by default. */
  readonly max?: number | undefined;
  /** Factor by which a failure shrinks the number, above 0 and below 1; 0.5 by default. */
  readonly backoff?: number | undefined;
  /** Successes in a row, with all slots in use at some moment, that let the number grow by one; as many as there are slots by default. */
  readonly stable?: number | undefined;
}

const SLOTS: OptionRule = [(value) => Number.isInteger(value) && isFrom1(value), 'a whole number, 1 or more'];

const OPTIONS: OptionTable<AdaptiveConcurrencyOptions> = {
  rules: {
    initial: SLOTS,
    min: SLOTS,
    max: [(value) => value === Infinity || SLOTS[0](value), 'a whole number, 1 or more, or Infinity'],
    backoff: [(value) => Number(value) > 0 && Number(value) < 1, 'a number between 0 and 1'],
    stable: FROM_1,
  },
};

/**
 * Limits the requests in flight to what the server bears: one more after a stable run of successes, half as many after a failure that means
 * overload (5xx, a timeout, no connection, a 429 that announces no quota). Failures of requests that were sent before the last cut do not
 * cut again.
 *
 * The number grows only while all slots are in use: a number that was never tried is not known to hold.
 *
 * Source: additive increase, multiplicative decrease (RFC 5681 section 3.1).
 */
export function adaptiveConcurrency(options: AdaptiveConcurrencyOptions = {}): Limiter {
  checkOptions('adaptiveConcurrency', options, OPTIONS);
  const { initial = 4, min = 1, max = 64, backoff = 0.5, stable } = options;
  requireThat(initial >= min && initial <= max, 'adaptiveConcurrency', 'initial', initial, `a number from min, ${min}, to max, ${max}`);

  const changed$ = new Subject<void>();
  let slots = initial;
  let inFlight = 0;
  let successes = 0;
  let full = false;
  /** Number of cuts so far. */
  let epoch = 0;

  function learn(outcome: Outcome, sentIn: number): void {
    const kind = outcomeKind(outcome);
    if (kind === 'failure' && sentIn === epoch) {
      slots = Math.max(min, Math.floor(slots * backoff));
      epoch++;
    }
    if (kind === 'failure') {
      successes = 0;
      full = false;
    } else if (kind === 'success' && ++successes >= (stable ?? slots) && full) {
      slots = Math.min(max, slots + 1);
      successes = 0;
      full = false;
    }
  }

  return queued({
    changed$: changed$.asObservable(),
    check: () => (inFlight < slots ? 0 : Infinity),
    estimate: () => (inFlight < slots ? undefined : { source: 'slots', delay: Infinity }),
    take: () => {
      const sentIn = epoch;
      inFlight++;
      full ||= inFlight >= slots;
      return makePermit({
        settle: (outcome) => {
          learn(outcome, sentIn);
          return undefined;
        },
        release: () => {
          inFlight--;
          changed$.next();
        },
      });
    },
  });
}
