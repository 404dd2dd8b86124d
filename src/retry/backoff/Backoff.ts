/** Facts that a backoff may look at. */
export interface BackoffDraw {
  /** Which retry of its rule this is: 0, 1, 2, ... */
  readonly index: number;
  /** The rule's last delay in ms; `undefined` before the first. */
  readonly previous: number | undefined;
  /** A number from 0 up to, not including, 1; a fresh one at each call. */
  readonly random: () => number;
}

/**
 * How long to wait, in ms, where the server does not say: a pure function, all chance comes from `random`.
 *
 * @example
 * const steady: Backoff = () => 2000;
 */
export type Backoff = (draw: BackoffDraw) => number;
