import { UsageError } from './errors/UsageError.js';

/**
 * Refuses options that nobody reads: a misspelt key would leave the default in force, unseen. One that is undefined counts as left out.
 *
 * @param place says where the keys were given, for the message
 * @param elsewhere what other libraries call an option, or put here, and where it is said
 * @throws UsageError that names the key
 */
export function checkKeys(
  place: () => string,
  given: object,
  known: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): void {
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || known.includes(key)) continue;
    const remedy = Object.hasOwn(elsewhere, key) ? `say it as ${String(elsewhere[key])}` : `there are ${known.join(', ')}`;
    throw new UsageError(`${place()}: ${key} is unknown; ${remedy}`);
  }
}
