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
