import type { Difference } from './compareMoments.js';
import type { Equals } from '../values/equality.js';

/** Outcome of a comparison, and how to draw it. */
export interface Comparison {
  /** First difference; undefined: there is none. */
  readonly difference: Difference | undefined;
  readonly draw: () => string;
}

/** Compares what has been received by now with what was expected. */
export type Compare = (equals: Equals) => Comparison;
