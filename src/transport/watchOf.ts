import { hidden } from '../request/errors/ColdfetchError.js';
import type { TimeoutError } from '../request/errors/TimeoutError.js';

/** The watch over an answer's body for silence. */
export interface Watch {
  /** Milliseconds without progress. */
  readonly timeout: number;
  /** What that fails with. */
  readonly silent: () => TimeoutError;
}

/** Under it an answer holds the watch that its exchange would give up. A WeakMap of all answers would cost the garbage collector more. */
const WATCH = Symbol('watch');

/** Lets whoever reads an answer take the watch over it. */
export function offerWatch(response: Response, take: () => Watch): Response {
  // A frozen stand-in for a Response goes without: its exchange watches it.
  if (Object.isExtensible(response)) hidden(response, WATCH, take);
  return response;
}

/**
 * Takes the watch over an answer's body from the exchange that it belongs to, if it does to one. From now on the taker watches: it may know how
 * to go on after silence, and which pauses are none of the server's.
 */
export function takeWatch(response: Response): Watch | undefined {
  return (response as { readonly [WATCH]?: () => Watch })[WATCH]?.();
}
