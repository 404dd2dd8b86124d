import { BYTE_LIMIT, checkOptions } from '../../request/checkOptions.js';
import type { CacheEntry, CacheStore } from './CacheStore.js';

/** Bytes that an entry takes beside its body and text. */
const OVERHEAD = 256;

/** Options of {@link memoryCache}. */
export interface MemoryCacheOptions {
  /** Most bytes of bodies, header fields and keys together; 64 MiB by default. A larger entry is not kept. */
  readonly maxBytes?: number;
}

/** Store of a {@link memoryCache}, with its size. */
export interface MemoryCache extends CacheStore {
  /** Number of entries. */
  readonly size: number;
  /** Bytes of all entries. */
  readonly bytes: number;
  get(key: string): CacheEntry | undefined;
  set(key: string, entry: CacheEntry): boolean;
  delete(key: string): boolean;
  /** Drops all entries. */
  clear(): void;
}

/**
 * Keeps a cache's responses in memory. When it is full, the least recently used ones go first.
 *
 * @example
 * const http = createClient({ cache: httpCache({ store: memoryCache({ maxBytes: 10_000_000 }) }) });
 *
 * @throws UsageError for unknown options, and a `maxBytes` that is no positive number
 */
export function memoryCache(options: MemoryCacheOptions = {}): MemoryCache {
  checkOptions('memoryCache', options, { rules: { maxBytes: BYTE_LIMIT } });
  const { maxBytes = 67_108_864 } = options;
  // A Map remembers the order of insertion: an entry that is used goes to the end.
  const entries = new Map<string, { readonly entry: CacheEntry; readonly size: number }>();
  let bytes = 0;

  const remove = (key: string): boolean => {
    bytes -= entries.get(key)?.size ?? 0;
    return entries.delete(key);
  };

  return {
    get size() {
      return entries.size;
    },
    get bytes() {
      return bytes;
    },
    get(key) {
      const found = entries.get(key);
      if (!found) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.entry;
    },
    set(key, entry) {
      remove(key);
      const size = sizeOf(key, entry);
      if (size > maxBytes) return false;
      entries.set(key, { entry, size });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        remove(oldest);
      }
      return true;
    },
    delete: remove,
    clear() {
      entries.clear();
      bytes = 0;
    },
  };
}

// Strings take two bytes a character at worst.
function sizeOf(key: string, entry: CacheEntry): number {
  const texts = entry.kind === 'vary' ? entry.fields : [entry.url, ...entry.headers.flat()];
  const characters = texts.reduce((sum, text) => sum + text.length, key.length);
  return OVERHEAD + 2 * characters + (entry.kind === 'answer' ? (entry.body?.byteLength ?? 0) : 0);
}
