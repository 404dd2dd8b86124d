import { checkOptions } from '../../request/checkOptions.js';
import type { Backoff } from './Backoff.js';
import { growth, GROWTH, type GrowthOptions } from './growth.js';

/**
 * An even draw from 0 to min(cap, base x factor^n): spreads a crowd best, and makes the fewest calls in all.
 *
 *     fullJitter({ base: 1000, cap: 60_000 })     0 to 1 s, 0 to 2 s, 0 to 4 s, ..., 0 to 60 s
 *
 * Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 *
 * @throws UsageError if an option is out of its range
 */
export function fullJitter(options: GrowthOptions): Backoff {
  checkOptions('fullJitter', options, GROWTH);
  const delayAt = growth('fullJitter', options);
  return ({ index, random }) => random() * delayAt(index);
}
