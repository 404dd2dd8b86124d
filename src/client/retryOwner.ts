import type { FetchLike } from '../request/FetchLike.js';

/** Fetches that retry by themselves. */
const owners = new WeakSet<object>();
/** Fetches of which a warning has been given. */
const warned = new WeakSet<object>();

/** Remembers that a fetch retries by itself. */
export function ownsRetry<F extends object>(fetch: F): F {
  owners.add(fetch);
  return fetch;
}

/** Warns once when a client would retry on top of a fetch that retries already: the attempts of both would multiply. */
export function warnOfTwoOwners(fetch: FetchLike | undefined): void {
  if (!fetch || !owners.has(fetch) || warned.has(fetch)) return;
  warned.add(fetch);
  console.warn('coldfetch: this client retries on top of a fetch made by asFetch, so attempts multiply; give one of them retry: false');
}
