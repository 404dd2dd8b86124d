import type { Backoff } from './Backoff.js';
import { checkOptions, MILLISECONDS, type OptionTable } from '../../request/checkOptions.js';
import { DELAY, growth, type GrowthOptions } from './growth.js';

const OPTIONS: OptionTable<Omit<GrowthOptions, 'factor'>> = { rules: { base: DELAY, cap: MILLISECONDS }, required: ['base'] };

/**
 * min(cap, an even draw from `base` to three times the last delay): the delay grows by chance.
 *
 *     decorrelatedJitter({ base: 1000, cap: 60_000 })     1 to 3 s, then 1 s to 3 x the last, ..., at most 60 s
 *
 * Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 *
 * @throws UsageError if an option is out of its range
 */
export function decorrelatedJitter(options: Omit<GrowthOptions, 'factor'>): Backoff {
  checkOptions('decorrelatedJitter', options, OPTIONS);
  const first = growth('decorrelatedJitter', options)(0);
  const { base, cap = Number.MAX_VALUE } = options;
  return ({ previous = first, random }) => {
    // A last delay below the base (a server's hint of 0, say) counts as the base.
    const most = Math.min(Math.max(previous, base) * 3, Number.MAX_VALUE);
    return Math.min(base + random() * (most - base), cap, Number.MAX_VALUE);
  };
}
