import { UsageError } from '../request/errors/UsageError.js';

/**
 * Refuses an argument that is no function.
 *
 * @throws UsageError that names the value, its place, and what to give instead
 */
export function requireFunction(place: string, value: unknown, remedy: string): void {
  if (typeof value !== 'function') throw new UsageError(`${place} is ${String(value)}; give ${remedy}`);
}
