import type { Backoff } from './Backoff.js';
import { checkOptions, type OptionTable } from '../../request/checkOptions.js';
import { DELAY, growth, GROWTH, type GrowthOptions } from './growth.js';

/** Options of {@link exponential}. */
export interface ExponentialOptions extends GrowthOptions {
  /** Most ms that are added to each delay, drawn evenly, on top of the cap; 0 by default. */
  readonly jitter?: number | undefined;
}

const OPTIONS: OptionTable<ExponentialOptions> = { ...GROWTH, rules: { ...GROWTH.rules, jitter: DELAY } };

/**
 * min(cap, base x factor^n), plus an even draw from 0 to `jitter`.
 *
 *     exponential({ base: 1000, cap: 60_000 })               1, 2, 4, 8, 16, 32, 60, 60 s, ...
 *     exponential({ base: 300, cap: 8000, jitter: 300 })     300 to 600 ms, 600 to 900 ms, 1.2 to 1.5 s, ...
 *
 * Without jitter, clients that failed together come back together.
 *
 * @throws UsageError if an option is out of its range
 */
export function exponential(options: ExponentialOptions): Backoff {
  checkOptions('exponential', options, OPTIONS);
  const delayAt = growth('exponential', options);
  const { jitter = 0 } = options;
  return ({ index, random }) => Math.min(delayAt(index) + (jitter === 0 ? 0 : random() * jitter), Number.MAX_VALUE);
}
