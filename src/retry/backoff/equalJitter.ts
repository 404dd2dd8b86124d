import { checkOptions } from '../../request/checkOptions.js';
import type { Backoff } from './Backoff.js';
import { growth, GROWTH, type GrowthOptions } from './growth.js';

/**
 * Half of min(cap, base x factor^n), plus an even draw from the other half: never a very short wait.
 *
 *     equalJitter({ base: 1000, cap: 60_000 })     0.5 to 1 s, 1 to 2 s, 2 to 4 s, ..., 30 to 60 s
 *
 * Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 *
 * @throws UsageError if an option is out of its range
 */
export function equalJitter(options: GrowthOptions): Backoff {
  checkOptions('equalJitter', options, GROWTH);
  const delayAt = growth('equalJitter', options);
  return ({ index, random }) => (delayAt(index) / 2) * (1 + random());
}
