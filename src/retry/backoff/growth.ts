import { UsageError } from '../../request/errors/UsageError.js';
import { isObject } from '../../request/guards.js';
import { requireThat } from '../../request/requireThat.js';

/** How delays grow. */
export interface GrowthOptions {
  /** The first delay, in ms, 0 or more. */
  readonly base: number;
  /** The longest delay, in ms, `base` or more; none by default. */
  readonly cap?: number | undefined;
  /** Factor from each delay to the next, 1 or more; 2 by default. */
  readonly factor?: number | undefined;
}

/**
 * The delay without jitter: min(cap, base x factor^index), finite for every index.
 *
 * @param name the function that was called with these options, for the message
 * @throws UsageError if an option is out of its range
 */
export function growth(name: string, options: GrowthOptions): (index: number) => number {
  if (!isObject(options))
    throw new UsageError(`${name}: the options are ${String(options)}; give ${name}({ base: 1000, cap: 60_000 }) say`);
  const { base, cap = Number.MAX_VALUE, factor = 2 } = options;
  requireThat(typeof base === 'number' && base >= 0 && base < Infinity, name, 'base', base, 'milliseconds, 0 or more');
  requireThat(cap >= base, name, 'cap', cap, `milliseconds, ${String(base)} (the base) or more; leave it out for none`);
  requireThat(factor >= 1 && factor < Infinity, name, 'factor', factor, '1 or more');
  // The power is bounded before it meets the base: 0 x Infinity is NaN.
  return (index) => Math.min(base * Math.min(factor ** index, Number.MAX_VALUE), cap, Number.MAX_VALUE);
}
