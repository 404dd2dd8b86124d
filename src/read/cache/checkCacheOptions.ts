import { checkOptions, isFunction, isNotNegative, NOT_NEGATIVE, type OptionTable } from '../../request/checkOptions.js';
import { hasMethods } from '../../request/guards.js';
import type { CacheOptions } from './CacheOptions.js';

const OPTIONS: OptionTable<CacheOptions> = {
  rules: {
    store: [(value) => hasMethods(value, 'get', 'set', 'delete'), 'memoryCache(), or { get, set, delete }'],
    storeTimeout: NOT_NEGATIVE,
    shared: [(value) => typeof value === 'boolean', 'true or false'],
    ttl: [(value) => isNotNegative(value) || isFunction(value), 'a number, 0 or more'],
    staleWhileRevalidate: NOT_NEGATIVE,
    staleIfError: NOT_NEGATIVE,
    heuristic: NOT_NEGATIVE,
  },
  // Names that other caches use, and options that belong to another place.
  elsewhere: {
    maxAge: 'ttl, in milliseconds',
    maxBytes: 'store: memoryCache({ maxBytes })',
    // A store may have been given in place of the options.
    size: 'store: memoryCache()',
    get: 'store: { get, set, delete }',
  },
};

/**
 * Refuses options of a cache whose mistakes would show only at the first request, or never.
 *
 * @throws UsageError that names the option, its value and the remedy
 */
export function checkCacheOptions(options: CacheOptions): void {
  checkOptions('httpCache', options, OPTIONS);
}
