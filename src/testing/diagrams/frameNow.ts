import { elapsed } from '../../time.js';
import { trimmed } from './marbleTime.js';

/** The moment of virtual time, in ms, as diagrams have it: what jitter makes of 69 ms is 69 ms. */
export function frameNow(): number {
  return trimmed(elapsed());
}
