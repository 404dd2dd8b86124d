import { catchError, concatMap, defer, from, isObservable, map, type Observable, of } from 'rxjs';
import { wallClock } from '../time.js';
import { variantKey } from './cacheKey.js';
import type { CacheEntry, CacheStore, Eventually, StoredAnswer, StoredVary } from './CacheStore.js';

/** What a look on the shelf found. */
export interface Found {
  readonly answer?: StoredAnswer;
  /** Why there is none, in the words of RFC 9211. */
  readonly miss?: 'uri-miss' | 'vary-miss';
}

const NOTHING: Found = { miss: 'uri-miss' };

/** Finds, puts and voids answers in a store: which variants a resource has is noted under its own key. A store that fails holds nothing. */
export class CacheShelf {
  readonly #store: CacheStore;

  constructor(store: CacheStore) {
    this.#store = store;
  }

  /** The answer for a request of the resource `key` with these header fields. */
  find(key: string, headers: Headers): Observable<Found> {
    return this.#get(key).pipe(
      concatMap((entry) => {
        if (!entry) return of(NOTHING);
        if (entry.kind === 'answer') return of({ answer: entry });
        return this.#get(variantKey(key, entry.fields, headers)).pipe(
          map((variant): Found =>
            variant?.kind === 'answer' && variant.sentAt >= entry.voidBefore ? { answer: variant } : { miss: 'vary-miss' },
          ),
        );
      }),
    );
  }

  /** Keeps an answer; emits whether it is kept. */
  put(key: string, headers: Headers, answer: StoredAnswer): Observable<boolean> {
    const fields = varyOf(answer);
    if (fields.includes('*')) return of(false);
    if (fields.length === 0) return this.#set(key, answer);
    return this.#get(key).pipe(
      concatMap((entry) => {
        const known = entry?.kind === 'vary' ? entry : undefined;
        const vary: StoredVary = { kind: 'vary', fields, voidBefore: known?.voidBefore ?? 0 };
        return known && String(known.fields) === String(fields) ? of(true) : this.#set(key, vary);
      }),
      concatMap((noted) => (noted ? this.#set(variantKey(key, fields, headers), answer) : of(false))),
    );
  }

  /** Voids all answers of a resource; emits when that is done. */
  void(key: string): Observable<unknown> {
    return this.#get(key).pipe(
      concatMap((entry) =>
        entry?.kind === 'vary'
          ? this.#set(key, { ...entry, voidBefore: wallClock() + 1 })
          : ask(() => this.#store.delete(key)).pipe(catchError(() => of(false))),
      ),
    );
  }

  #get(key: string): Observable<CacheEntry | undefined> {
    return ask(() => this.#store.get(key)).pipe(catchError(() => of(undefined)));
  }

  #set(key: string, entry: CacheEntry): Observable<boolean> {
    return ask(() => this.#store.set(key, entry)).pipe(catchError(() => of(false)));
  }
}

function varyOf({ headers }: StoredAnswer): string[] {
  const values = headers.filter(([name]) => name === 'vary').map(([, value]) => value);
  const fields = values.join(',').toLowerCase().split(',');
  return [...new Set(fields.map((name) => name.trim()).filter((name) => name !== ''))].sort();
}

function ask<T>(call: () => Eventually<T>): Observable<T> {
  return defer(() => {
    const answer = call();
    return isObservable(answer) || isThenable(answer) ? from(answer) : of(answer);
  });
}

function isThenable<T>(value: Eventually<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
