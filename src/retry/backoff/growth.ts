import { isFrom1, isNotNegative, MILLISECONDS, type OptionRule, type OptionTable, requireThat } from '../../request/checkOptions.js';

/** Growth of a backoff's delays. */
export interface GrowthOptions {
  /** The first delay, in ms, 0 or more. */
  readonly base: number;
  /** The longest delay, in ms, `base` or more; none by default. */
  readonly cap?: number | undefined;
  /** Factor from each delay to the next, 1 or more; 2 by default. */
  readonly factor?: number | undefined;
}

/** Rule of a delay that can be waited for. */
export const DELAY: OptionRule = [(value) => isNotNegative(value) && value < Infinity, 'milliseconds, 0 or more'];

/** Rules of the options that all backoffs have. */
export const GROWTH: OptionTable<GrowthOptions> = {
  rules: { base: DELAY, cap: MILLISECONDS, factor: [(value) => isFrom1(value) && value < Infinity, '1 or more'] },
  required: ['base'],
};

/**
 * The delay without jitter: min(cap, base x factor^index), finite for every index.
 *
 * @param name the function that was called with these options, for the message
 * @throws UsageError if an option is out of its range
 */
export function growth(name: string, options: GrowthOptions): (index: number) => number {
  const { base, cap = Number.MAX_VALUE, factor = 2 } = options;
  requireThat(cap >= base, name, 'cap', cap, `milliseconds, ${base} (the base) or more; leave it out for none`);
  // The power is bounded before it meets the base: 0 x Infinity is NaN.
  return (index) => Math.min(base * Math.min(factor ** index, Number.MAX_VALUE), cap, Number.MAX_VALUE);
}
