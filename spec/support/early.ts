/** Milliseconds by which a timer of Node may be early: it counts whole ones, clocks count parts of them. */
export const EARLY = 1;
