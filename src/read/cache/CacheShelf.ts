import { catchError, concatMap, defaultIfEmpty, defer, from, isObservable, map, type Observable, of, take } from 'rxjs';
import type { Eventually } from '../../request/Eventually.js';
import { isThenable } from '../../request/isThenable.js';
import { wallClock } from '../../time.js';
import { variantKey } from './cacheKey.js';
import type { CacheEntry, CacheStore, StoredAnswer, StoredVary } from './CacheStore.js';

/** What a look on the shelf found. */
export interface Found {
  readonly answer?: StoredAnswer;
  /** Why there is none, in the words of RFC 9211. */
  readonly miss?: 'uri-miss' | 'vary-miss';
  /** The store failed: what it holds is not known. */
  readonly failed?: true;
}

/** What has become of an answer that was put on the shelf. */
export interface Kept {
  readonly stored: boolean;
  /** The store failed. */
  readonly failed?: true;
}

/** What a store said; nothing, if it failed. */
interface Told<T> {
  readonly value?: T;
  readonly failed?: true;
}

/** Finds, puts and voids answers in a store: which variants a resource has is noted under its own key. A store that fails holds nothing. */
export class CacheShelf {
  readonly #store: CacheStore;

  constructor(store: CacheStore) {
    this.#store = store;
  }

  /** The answer for a request of the resource `key` with these header fields. */
  find(key: string, headers: Headers): Observable<Found> {
    return this.#get(key).pipe(
      concatMap(({ value: entry, ...told }) => {
        if (!entry) return of<Found>({ miss: 'uri-miss', ...told });
        if (entry.kind === 'answer') return of<Found>({ answer: entry });
        return this.#get(variantKey(key, entry.fields, headers)).pipe(
          map(({ value: variant, ...toldThen }): Found =>
            variant?.kind === 'answer' && variant.sentAt >= entry.voidBefore ? { answer: variant } : { miss: 'vary-miss', ...toldThen },
          ),
        );
      }),
    );
  }

  /** Keeps an answer. */
  put(key: string, headers: Headers, answer: StoredAnswer): Observable<Kept> {
    const fields = varyOf(answer);
    if (fields.includes('*')) return of({ stored: false });
    if (fields.length === 0) return this.#set(key, answer);
    return this.#get(key).pipe(
      concatMap(({ value: entry }) => {
        const known = entry?.kind === 'vary' ? entry : undefined;
        // Variants of which nothing is noted may have been voided since.
        const vary: StoredVary = { kind: 'vary', fields, voidBefore: known?.voidBefore ?? answer.sentAt };
        return known && String(known.fields) === String(fields) ? of<Kept>({ stored: true }) : this.#set(key, vary);
      }),
      concatMap((noted) => (noted.stored ? this.#set(variantKey(key, fields, headers), answer) : of(noted))),
    );
  }

  /** Voids all answers of a resource; emits when that is done. */
  void(key: string): Observable<unknown> {
    return this.#get(key).pipe(
      concatMap(({ value: entry }) =>
        entry?.kind === 'vary' ? this.#set(key, { ...entry, voidBefore: wallClock() + 1 }) : ask<unknown>(() => this.#store.delete(key)),
      ),
    );
  }

  #get(key: string): Observable<Told<CacheEntry | undefined>> {
    return ask(() => this.#store.get(key)).pipe(map((told) => (!told.value || isEntry(told.value) ? told : { failed: true })));
  }

  #set(key: string, entry: CacheEntry): Observable<Kept> {
    return ask(() => this.#store.set(key, entry)).pipe(map(({ value, ...told }) => ({ stored: value !== false && !told.failed, ...told })));
  }
}

/** The header fields that an answer varies by, in lower case and order; `*`: by more than those. */
export function varyOf({ headers }: StoredAnswer): string[] {
  const values = headers.filter(([name]) => name === 'vary').map(([, value]) => value);
  const fields = values.join(',').toLowerCase().split(',');
  return [...new Set(fields.map((name) => name.trim()).filter((name) => name !== ''))].sort();
}

// A store is anybody's: what it gives may have been through JSON.
function isEntry(value: CacheEntry): boolean {
  const { kind, status, headers, body, fields } = value as Partial<Record<keyof StoredAnswer | keyof StoredVary, unknown>>;
  if (kind === 'vary') return Array.isArray(fields);
  return kind === 'answer' && typeof status === 'number' && Array.isArray(headers) && (body === null || ArrayBuffer.isView(body));
}

/** Says once what a store says, observable or not; that it failed, if it does. */
function ask<T>(call: () => Eventually<T>): Observable<Told<T>> {
  return defer(() => {
    const answer = call();
    // What is there at once needs no detour: a hit is to be cheap.
    if (!isObservable(answer) && !isThenable(answer)) return of<Told<T>>({ value: answer });
    return from(answer).pipe(
      take(1),
      map((value): Told<T> => ({ value })),
      defaultIfEmpty<Told<T>, Told<T>>({}),
    );
  }).pipe(catchError(() => of<Told<T>>({ failed: true })));
}
