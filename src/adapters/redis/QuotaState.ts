/** Last known state of a quota. Moments are of the `elapsed()` clock. */
export interface QuotaState {
  /** Requests that a window allows. */
  readonly quota?: number | undefined;
  /** Length of the window in ms. */
  readonly window?: number | undefined;
  /** Requests that are left in the present window. */
  readonly remaining?: number | undefined;
  /** End of the present window. */
  readonly ends?: number | undefined;
  /** Moment before which nothing is sent. */
  readonly gate?: number | undefined;
}

/** The smallest of the known values. */
export function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
