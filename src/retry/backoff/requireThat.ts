import { UsageError } from '../../request/errors/UsageError.js';

/**
 * Refuses an option that is out of its range.
 *
 * @param name the function whose option it is
 * @throws UsageError that names the value, its place, and what to give instead
 */
export function requireThat(holds: boolean, name: string, option: string, value: unknown, remedy: string): void {
  if (!holds) throw new UsageError(`${name}: ${option} is ${String(value)}; give ${remedy}`);
}

/**
 * Refuses missing options.
 *
 * @throws UsageError that shows a call with them
 */
export function requireOptions(name: string, options: unknown): void {
  if (typeof options === 'object' && options !== null) return;
  throw new UsageError(`${name}: the options are ${String(options)}; give ${name}({ base: 1000, cap: 60_000 }) say`);
}
