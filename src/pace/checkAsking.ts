import { checkKeys } from '../request/checkKeys.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { AcquireOptions } from './AcquireOptions.js';
import type { Ask, Limiter } from './Limiter.js';
import { requireAsk } from './requireAsk.js';
import { requireLimiter } from './requireLimiter.js';

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
