import { checkKeys } from '../../request/checkKeys.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Ask, Limiter } from '../Limiter.js';
import { AGEING } from './Line.js';
import type { AcquireOptions } from './Waiter.js';

/**
 * Refuses what is no limiter.
 *
 * @param place the function that was called with it
 * @throws UsageError that names the place, and what to give instead
 */
export function requireLimiter(place: string, value: unknown): asserts value is Limiter {
  const { check, take, changed$ } = Object(value) as Partial<Limiter>;
  if (typeof check === 'function' && typeof take === 'function' && typeof changed$ === 'object') return;
  const given = typeof value === 'object' && value !== null ? 'an object without check, take and changed$' : String(value);
  throw new UsageError(`${place}: the limiter is ${given}; give one, concurrency(4) say`);
}

/**
 * Refuses an ask that no limiter could be fair to: one NaN would spoil the account of all that follow.
 *
 * @throws UsageError that names the field, and what to give instead
 */
export function requireAsk(ask: Ask): void {
  const { priority = 'normal', cost = 0, rejections = 0, maxWait = 0, deadline = 0 } = ask;
  if (!Object.hasOwn(AGEING, priority)) refuse('priority', priority, `one of ${Object.keys(AGEING).join(', ')}`);
  if (!(cost >= 0)) refuse('cost', cost, 'a number, 0 or more');
  if (!(rejections >= 0)) refuse('rejections', rejections, 'a number, 0 or more');
  if (!(maxWait >= 0)) refuse('maxWait', maxWait, 'milliseconds, 0 or more');
  if (Number.isNaN(deadline)) refuse('deadline', deadline, 'a moment of the elapsed() clock');
}

function refuse(field: string, value: unknown, remedy: string): never {
  throw new UsageError(`An ask's ${field} is ${String(value)}; give ${remedy}`);
}

/**
 * Refuses what a limiter cannot be asked, at the call. An ask may have fields of its own, for a limiter of one's own, but no options.
 *
 * @param place the function that was called
 * @param keys the options that it reads
 * @throws UsageError that names the place, and what to give instead
 */
export function checkAsking(place: string, limiter: Limiter, ask: Ask, options: AcquireOptions, keys: readonly string[]): void {
  requireLimiter(place, limiter);
  const misplaced = ['maxQueued', 'onWait'].find((key) => Object.hasOwn(ask, key));
  if (misplaced) throw new UsageError(`${place}: ${misplaced} is no part of an ask; give it as ${place}(limiter, ask, { ${misplaced} })`);
  checkKeys(() => place, options, keys);
  requireAsk(ask);
}
