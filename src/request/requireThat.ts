import { UsageError } from './errors/UsageError.js';

/**
 * Refuses a value that is out of its range.
 *
 * @param place the function whose argument it is; one that says it, where saying it costs something
 * @throws UsageError that names the place, the value, and what to give instead
 */
export function requireThat(holds: boolean, place: string | (() => string), name: string, value: unknown, remedy: string): void {
  if (holds) return;
  throw new UsageError(`${typeof place === 'string' ? place : place()}: ${name} is ${String(value)}; give ${remedy}`);
}
