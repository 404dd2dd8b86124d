const SHORTEST = 1000;

/**
 * Milliseconds that a probe may stay unanswered before it gets company: 1 s, or four round trips where they take longer.
 *
 * @param roundTrip shortest round trip so far, in ms; 0 or `Infinity` before the first
 */
export function probeTimeout(roundTrip: number): number {
  return roundTrip < Infinity ? Math.max(SHORTEST, 4 * roundTrip) : SHORTEST;
}
