import type { MaybeAsync } from '../../request/MaybeAsync.js';

/** A stored response: plain data, so that any store can keep it. */
export interface StoredResponse {
  readonly kind: 'answer';
  readonly status: number;
  /** URL of the response, after redirects. */
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Moments when the request was sent and when the response arrived, wall clock in ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** The decoded bytes; `null` for responses without a body. */
  readonly body: Uint8Array | null;
}

/** Note that the responses of a resource depend on the request: each is stored under a key that holds the values of these fields. */
export interface StoredVary {
  readonly kind: 'vary';
  /** Names of header fields, lower case. */
  readonly fields: readonly string[];
  /** Moment before which requests were sent whose responses are invalid, wall clock in ms. */
  readonly voidBefore: number;
}

/** Value of a store under a key. */
export type CacheEntry = StoredResponse | StoredVary;

/**
 * Store of a cache's responses. Keys are opaque and short; they hold no secrets.
 *
 * A failure of the store costs a request, never a response: a failing `get` is a miss, and a response whose `set` fails is not stored. A
 * store that does not reply within the cache's `storeTimeout` has failed, too, and is left alone for 30 s; only `delete` is called
 * meanwhile, without waiting for it.
 */
export interface CacheStore {
  /** Reads the entry under `key`; undefined if there is none, or none that can be read. */
  get(key: string): MaybeAsync<CacheEntry | undefined>;
  /** Keeps an entry, in one step: readers see the old entry or the new one. Returns false for an entry that is too large to keep. */
  set(key: string, entry: CacheEntry): MaybeAsync<boolean>;
  /** Forgets the entry under `key`. */
  delete(key: string): MaybeAsync<unknown>;
}
