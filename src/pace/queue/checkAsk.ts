import { FUNCTION, NOT_NEGATIVE, type OptionTable, requireThat } from '../../request/checkOptions.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Ask, Limiter } from '../Limiter.js';
import { AGEING } from './Line.js';
import type { AcquireOptions } from './Waiter.js';

/**
 * Refuses a value that is not a limiter.
 *
 * @param place the function that was called with it
 * @throws UsageError that names the place, and what to give instead
 */
export function requireLimiter(place: string, value: unknown): asserts value is Limiter {
  const { check, take, changed$ } = Object(value) as Partial<Limiter>;
  const isLimiter = typeof check === 'function' && typeof take === 'function' && typeof changed$ === 'object';
  const given = typeof value === 'object' && value !== null ? 'an object without check, take and changed$' : value;
  requireThat(isLimiter, place, 'the limiter', given, 'one, concurrency(4) say');
}

/** Rules of the options of every ask that waits. */
export const WAITING: OptionTable<AcquireOptions>['rules'] = { maxQueued: NOT_NEGATIVE, onWait: FUNCTION };

/**
 * Refuses an ask that no limiter could be fair to: one NaN would spoil the account of all that follow.
 *
 * @throws UsageError that names the field, and what to give instead
 */
export function requireAsk(ask: Ask): void {
  const { priority = 'normal', cost = 0, rejections = 0, maxWait = 0, deadline = 0 } = ask;
  requireThat(Object.hasOwn(AGEING, priority), 'ask', 'priority', priority, 'one of interactive, normal, background');
  requireThat(cost >= 0, 'ask', 'cost', cost, 'a number, 0 or more');
  requireThat(rejections >= 0, 'ask', 'rejections', rejections, 'a number, 0 or more');
  requireThat(maxWait >= 0, 'ask', 'maxWait', maxWait, 'milliseconds, 0 or more');
  requireThat(!Number.isNaN(deadline), 'ask', 'deadline', deadline, 'a moment of the elapsed() clock');
}

/**
 * Refuses an ask that a limiter cannot take, at the call. An ask may have fields of its own, for a limiter of one's own, but no options.
 *
 * @param place the function that was called
 * @throws UsageError that names the place, and what to give instead
 */
export function checkAsking(place: string, limiter: Limiter, ask: Ask): void {
  requireLimiter(place, limiter);
  const misplaced = ['maxQueued', 'onWait'].find((key) => Object.hasOwn(ask, key));
  if (misplaced)
    throw new UsageError(`${place}: ${misplaced} is not a part of an ask; give it as ${place}(limiter, ask, { ${misplaced} })`);
  requireAsk(ask);
}
