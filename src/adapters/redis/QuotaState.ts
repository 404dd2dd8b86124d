/** Last known state of a quota. Moments are of the `elapsed()` clock. */
export interface QuotaState {
  /** Requests that a window allows. */
  readonly quota?: number | undefined;
  /** The window's length in ms. */
  readonly window?: number | undefined;
  /** Requests that are left in the present window. */
  readonly remaining?: number | undefined;
  /** When the present window ends. */
  readonly ends?: number | undefined;
  /** Nothing is sent before that moment. */
  readonly gate?: number | undefined;
}

/** The least of what is known. */
export function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
