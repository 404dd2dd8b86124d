import { memoryCache, type MemoryCacheOptions } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import type { StoredResponse } from '../../../src/read/cache/CacheStore.js';
import { isUsageError } from '../../../src/request/errors/UsageError.js';
import { failureOf } from '../../support/failureOf.js';

function answer(bytes: number): StoredResponse {
  const body = new Uint8Array(bytes);
  return { kind: 'answer', status: 200, url: 'https://api.example/', headers: [], sentAt: 1, receivedAt: 1, body };
}

describe('memoryCache', () => {
  it('keeps entries and forgets them', () => {
    const store = memoryCache();
    const [a, vary] = [answer(10), { kind: 'vary', fields: ['accept'], voidBefore: 7 }] as const;
    expect([store.set('a', a), store.set('v', vary)]).toEqual([true, true]);
    expect([store.get('a'), store.get('v'), store.get('b'), store.size]).toEqual([a, vary, undefined, 2]);
    expect([store.delete('a'), store.delete('a'), store.get('a'), store.size]).toEqual([true, false, undefined, 1]);
    store.clear();
    expect([store.size, store.bytes, store.get('v')]).toEqual([0, 0, undefined]);
  });

  it('lets those go first that were not used for longest', () => {
    const store = memoryCache({ maxBytes: 4_000 });
    for (const key of ['a', 'b', 'c']) store.set(key, answer(900));
    store.get('a');
    store.set('d', answer(900));
    expect(['a', 'b', 'c', 'd'].filter((key) => store.get(key))).toEqual(['a', 'c', 'd']);
  });

  it('never holds more than maxBytes, and counts what it replaces once', () => {
    const store = memoryCache({ maxBytes: 10_000 });
    for (let i = 0; i < 1_000; i++) {
      store.set(String(i % 30), answer((i * 37) % 3_000));
      expect(store.bytes).toBeLessThanOrEqual(10_000);
    }
    for (let i = 0; i < 30; i++) store.delete(String(i));
    expect([store.size, store.bytes]).toEqual([0, 0]);
  });

  it('does not keep what is larger than all, forgets what it replaces, and leaves the rest', () => {
    const store = memoryCache({ maxBytes: 3_000 });
    store.set('a', answer(100));
    store.set('b', answer(100));
    expect(store.set('a', answer(3_000))).toBe(false);
    expect([store.get('a'), store.size]).toEqual([undefined, 1]);
  });

  it.each([{ maxBytes: 0 }, { maxBytes: -1 }, { maxBytes: NaN }, { max: 9 } as MemoryCacheOptions])('refuses %o', (options) => {
    expect(isUsageError(failureOf(() => memoryCache(options)))).toBe(true);
  });
});
