import { catchError, concatMap, defaultIfEmpty, defer, from, isObservable, map, merge, type Observable, of, take } from 'rxjs';
import type { MaybeAsync } from '../../request/MaybeAsync.js';
import { isThenable } from '../../request/guards.js';
import { elapsed, wait, wallClock } from '../../time.js';
import { variantKey } from './cacheKey.js';
import type { CacheEntry, CacheStore, StoredResponse, StoredVary } from './CacheStore.js';
import { varyOf } from './storedResponse.js';

/** Result of a lookup. */
export interface Lookup {
  readonly answer?: StoredResponse;
  /** Reason why there is no stored response, in the words of RFC 9211. */
  readonly miss?: 'uri-miss' | 'vary-miss';
  /** Set where the store failed: its contents are unknown. */
  readonly failed?: true;
}

/** Result of a put. */
export interface PutResult {
  readonly stored: boolean;
  /** Set where the store failed. */
  readonly failed?: true;
}

/** Reply of a store: a value, or a failure. */
interface StoreReply<T> {
  readonly value?: T;
  readonly failed?: true;
}

/** Time for which an unresponsive store is left alone, in ms. */
const REST = 30_000;

/**
 * Responses in a store, by resource and variant. The fields by which the responses of a resource vary are noted under its own key. A store
 * that throws, or does not reply in time, counts as empty. A store that did not reply in time is asked nothing for 30 s, then once, and so
 * on: its silence holds up one request in 30 s, not each.
 */
export class VariantStore {
  readonly #store: CacheStore;
  readonly #timeout: number;
  /** Moment until which the store is left alone; `-Infinity`: its last reply was in time. */
  #restUntil = -Infinity;

  /** @param timeout for each reply of the store, in ms */
  constructor(store: CacheStore, timeout: number) {
    this.#store = store;
    this.#timeout = timeout;
  }

  /** Looks up the response to a request of the resource `key` with these header fields. */
  lookup(key: string, headers: Headers): Observable<Lookup> {
    return this.#get(key).pipe(
      concatMap(({ value: entry, ...reply }) => {
        if (!entry) return of<Lookup>({ miss: 'uri-miss', ...reply });
        if (entry.kind === 'answer') return of<Lookup>({ answer: entry });
        return this.#get(variantKey(key, entry.fields, headers)).pipe(
          map(({ value: variant, ...variantReply }): Lookup =>
            variant?.kind === 'answer' && variant.sentAt >= entry.voidBefore ? { answer: variant } : { miss: 'vary-miss', ...variantReply },
          ),
        );
      }),
    );
  }

  /** Stores a response. */
  put(key: string, headers: Headers, answer: StoredResponse): Observable<PutResult> {
    const fields = varyOf(answer);
    if (fields.includes('*')) return of({ stored: false });
    if (fields.length === 0) return this.#set(key, answer);
    return this.#get(key).pipe(
      concatMap(({ value: entry }) => {
        const known = entry?.kind === 'vary' ? entry : undefined;
        // Variants without a note may have been invalidated since.
        const vary: StoredVary = { kind: 'vary', fields, voidBefore: known?.voidBefore ?? answer.sentAt };
        return known && String(known.fields) === String(fields) ? of<PutResult>({ stored: true }) : this.#set(key, vary);
      }),
      concatMap((noted) => (noted.stored ? this.#set(variantKey(key, fields, headers), answer) : of(noted))),
    );
  }

  /** Invalidates all responses of a resource; emits when that is done. A store that rests is called without waiting for it. */
  invalidate(key: string): Observable<unknown> {
    if (this.#rests()) {
      this.#call(() => this.#store.delete(key)).subscribe();
      return of(undefined);
    }
    return this.#get(key).pipe(
      concatMap(({ value: entry }) =>
        entry?.kind === 'vary'
          ? this.#set(key, { ...entry, voidBefore: wallClock() + 1 })
          : this.#ask<unknown>(() => this.#store.delete(key)),
      ),
    );
  }

  #get(key: string): Observable<StoreReply<CacheEntry | undefined>> {
    return this.#ask(() => this.#store.get(key)).pipe(map((reply) => (!reply.value || isEntry(reply.value) ? reply : { failed: true })));
  }

  #set(key: string, entry: CacheEntry): Observable<PutResult> {
    return this.#ask(() => this.#store.set(key, entry)).pipe(
      map(({ value, ...reply }) => ({ stored: value !== false && !reply.failed, ...reply })),
    );
  }

  #rests(): boolean {
    return elapsed() < this.#restUntil;
  }

  /** Reply of the store; a failure at once while it rests. */
  #ask<T>(call: () => MaybeAsync<T>): Observable<StoreReply<T>> {
    return defer(() => (this.#rests() ? of<StoreReply<T>>({ failed: true }) : this.#call(call)));
  }

  /** Reply of the store, observable or not; a failure where none comes in time. */
  #call<T>(call: () => MaybeAsync<T>): Observable<StoreReply<T>> {
    return defer(() => {
      // A single request asks the store after the pause.
      if (this.#restUntil > -Infinity) this.#rest();
      const reply = call();
      // Plain values need no timer: a hit is to be cheap.
      if (!isObservable(reply) && !isThenable(reply)) return of(this.#replied({ value: reply }));
      const value$ = from(reply).pipe(
        take(1),
        map((value): StoreReply<T> => ({ value })),
        defaultIfEmpty<StoreReply<T>, StoreReply<T>>({}),
        map((value) => this.#replied(value)),
      );
      const silence$ = wait(this.#timeout).pipe(
        map((): StoreReply<T> => {
          this.#rest();
          return { failed: true };
        }),
      );
      return merge(value$, silence$).pipe(take(1));
    }).pipe(catchError(() => of(this.#replied<T>({ failed: true }))));
  }

  #rest(): void {
    this.#restUntil = elapsed() + REST;
  }

  #replied<T>(reply: StoreReply<T>): StoreReply<T> {
    this.#restUntil = -Infinity;
    return reply;
  }
}

// Values of a store are checked: any store may be given, and its values may have been through JSON.
function isEntry(value: CacheEntry): boolean {
  const { kind, status, headers, body, fields } = value as Partial<Record<keyof StoredResponse | keyof StoredVary, unknown>>;
  if (kind === 'vary') return Array.isArray(fields);
  return kind === 'answer' && typeof status === 'number' && Array.isArray(headers) && (body === null || ArrayBuffer.isView(body));
}
