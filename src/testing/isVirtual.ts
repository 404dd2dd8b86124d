import { wallClock } from '../time.js';

/** A moment that no real clock shows and no virtual one reaches, in ms since 1970: the year 2001. */
const REAL = 1e12;

/** Whether the clock is one of virtual time, which begins with 1970. */
export function isVirtual(): boolean {
  return wallClock() < REAL;
}
