/** Facts that a backoff may look at. */
export interface BackoffDraw {
  /** Index of the retry within its rule: 0, 1, 2, ... */
  readonly index: number;
  /** The rule's last delay in ms; `undefined` before the first. */
  readonly previous: number | undefined;
  /** A number from 0 up to, not including, 1; a fresh one at each call. */
  readonly random: () => number;
}

/**
 * Delay before a retry, in ms, where the server names none: a pure function, all chance comes from `random`.
 *
 * @example
 * const steady: Backoff = () => 2000;
 */
export type Backoff = (draw: BackoffDraw) => number;
