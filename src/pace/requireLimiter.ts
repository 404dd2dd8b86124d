import { UsageError } from '../request/errors/UsageError.js';
import type { Limiter } from './Limiter.js';

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
