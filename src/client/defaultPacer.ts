import type { Limiter } from '../pace/Limiter.js';
import { pacer, type PacerOptions } from '../pace/pacer.js';

/** Requests that a client sends to an origin before its first answer has come: as many as a browser does. */
const FIRST_BATCH = 6;

/** The limiter that a client has unless told otherwise. */
export function defaultPacer(options: Pick<PacerOptions, 'random'> = {}): Limiter {
  return pacer({ initial: FIRST_BATCH, ...options });
}
