import { checkKeys } from '../../request/checkKeys.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { requireThat } from '../../request/requireThat.js';
import type { CacheOptions } from './CacheOptions.js';

const KEYS: readonly string[] = [
  'store',
  'storeTimeout',
  'shared',
  'ttl',
  'staleWhileRevalidate',
  'staleIfError',
  'heuristic',
] satisfies (keyof CacheOptions)[];

/** Names that other caches use, and options that belong to another place. */
const ELSEWHERE = {
  maxAge: 'ttl, in milliseconds',
  maxBytes: 'store: memoryCache({ maxBytes })',
  // A store that was given in place of the options.
  size: 'store: memoryCache()',
  get: 'store: { get, set, delete }',
};

/**
 * Refuses options of a cache that would show only at the first request, or never.
 *
 * @throws UsageError that names the option, its value and the remedy
 */
export function checkCacheOptions(options: CacheOptions): void {
  checkKeys(() => 'httpCache', options, KEYS, ELSEWHERE);
  const { store, storeTimeout, ttl, staleWhileRevalidate, staleIfError, heuristic } = options;
  for (const [name, value] of Object.entries({ storeTimeout, ttl, staleWhileRevalidate, staleIfError, heuristic })) {
    const isDuration = typeof value === 'number' && value >= 0;
    const holds = value === undefined || isDuration || (name === 'ttl' && typeof value === 'function');
    requireThat(holds, 'httpCache', name, value, 'a number, 0 or more');
  }
  for (const name of ['get', 'set', 'delete'] as const) {
    const method: unknown = store === undefined ? String : (Object(store) as Partial<Record<string, unknown>>)[name];
    if (typeof method !== 'function')
      throw new UsageError(`httpCache: the store has no ${name}; give memoryCache(), or { get, set, delete }`);
  }
}
