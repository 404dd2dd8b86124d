import { EMPTY, NEVER, type Observable, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VariantStore } from '../../../src/read/cache/VariantStore.js';
import type { CacheEntry, CacheStore, StoredResponse } from '../../../src/read/cache/CacheStore.js';
import { memoryCache } from '../../../src/read/cache/memoryCache.js';

const KEY = 'GET https://api.example/rows';

function answer(told: Partial<StoredResponse> = {}): StoredResponse {
  const body = new TextEncoder().encode('body');
  return { kind: 'answer', status: 200, url: 'https://api.example/rows', headers: [], sentAt: 1, receivedAt: 1, body, ...told };
}

const varied = (sentAt: number): StoredResponse => answer({ headers: [['vary', 'accept']], sentAt });
const accept = (value: string): Headers => new Headers({ accept: value });

/** All that is emitted at once, and whether it completed. */
function all<T>(source: Observable<T>): { readonly values: T[]; readonly completed: boolean } {
  const heard = { values: [] as T[], completed: false };
  source.subscribe({ next: (value) => heard.values.push(value), complete: () => (heard.completed = true) });
  return heard;
}

function store(told: Partial<CacheStore>): CacheStore {
  return { get: () => undefined, set: () => true, delete: () => true, ...told };
}

describe('VariantStore', () => {
  it.each<[string, CacheStore['get'], object]>([
    ['is empty', () => undefined, { miss: 'uri-miss' }],
    ['completes without a value', () => EMPTY, { miss: 'uri-miss' }],
    ['emits twice', () => of(undefined, answer()), { miss: 'uri-miss' }],
    [
      'throws',
      () => {
        throw new Error('disk');
      },
      { miss: 'uri-miss', failed: true },
    ],
    ['errors', () => throwError(() => new Error('disk')), { miss: 'uri-miss', failed: true }],
    ['gives what is no entry', () => ({ kind: 'answer' }) as CacheEntry, { miss: 'uri-miss', failed: true }],
    ['gives a body that is no bytes', () => answer({ body: {} as Uint8Array }), { miss: 'uri-miss', failed: true }],
  ])('finds nothing, once, in a store that %s', (_, get, found) => {
    expect(all(new VariantStore(store({ get }), 1_000).lookup(KEY, new Headers()))).toEqual({ values: [found], completed: true });
  });

  it.each<[string, CacheStore['set'], object]>([
    ['says so', () => true, { stored: true }],
    ['says nothing', () => EMPTY, { stored: true }],
    ['says so twice', () => of(true, true), { stored: true }],
    ['finds it too large', () => false, { stored: false }],
    ['errors', () => throwError(() => new Error('disk')), { stored: false, failed: true }],
  ])('tells once what has become of an answer whose store %s', (_, set, kept) => {
    expect(all(new VariantStore(store({ set }), 1_000).put(KEY, new Headers(), answer()))).toEqual({ values: [kept], completed: true });
  });

  it('keeps no answer that varies by everything', () => {
    const kept = new VariantStore(store({ set: () => NEVER }), 1_000).put(KEY, new Headers(), answer({ headers: [['vary', 'accept, *']] }));
    expect(all(kept).values).toEqual([{ stored: false }]);
  });

  it('is done with voiding, whatever the store says', () => {
    for (const told of [() => EMPTY, () => throwError(() => new Error('disk')), () => of(1, 2)]) {
      const heard = all(new VariantStore(store({ delete: told }), 1_000).invalidate(KEY));
      expect(heard.values).toHaveLength(1);
      expect(heard.completed).toBe(true);
    }
  });

  it('does not find a variant again that was stored before an answer without variants', () => {
    const variants = new VariantStore(memoryCache(), 1_000);
    all(variants.put(KEY, accept('a/a'), varied(1)));
    all(variants.put(KEY, accept('b/b'), answer({ sentAt: 2 })));
    all(variants.put(KEY, accept('b/b'), varied(3)));
    expect(all(variants.lookup(KEY, accept('a/a'))).values).toEqual([{ miss: 'vary-miss' }]);
    expect(all(variants.lookup(KEY, accept('b/b'))).values).toEqual([{ answer: varied(3) }]);
  });
});
