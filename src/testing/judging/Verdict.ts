import type { Difference } from './compareMoments.js';
import type { Equals } from './equality.js';

/** How a comparison came out, and how to draw it. */
export interface Verdict {
  /** Undefined: there is none. */
  readonly difference: Difference | undefined;
  readonly draw: () => string;
}

/** Compares what has been received by now with what was expected. */
export type Judge = (equals: Equals) => Verdict;
