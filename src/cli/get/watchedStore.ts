import type { CacheEntry, CacheStore } from '../../read/cache/CacheStore.js';
import type { FileCache } from '../../node/fileCache.js';

/** A store that tells of its first failure: it costs requests, never an answer, so nothing else would. */
export function watchedStore(store: FileCache, onError: (error: unknown) => void): CacheStore {
  let told = false;
  const watch = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      if (!told) onError(error);
      told = true;
      throw error;
    });
  return {
    get: (key) => watch(store.get(key)),
    set: (key, entry: CacheEntry) => watch(store.set(key, entry)),
    delete: (key) => watch(store.delete(key)),
  };
}
