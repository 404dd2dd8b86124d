import { DeadlineError } from '../request/errors/DeadlineError.js';
import { destinationOf } from './destinationOf.js';
import type { Ask } from './Limiter.js';

/**
 * What an ask is refused by if it will have to wait for longer than its deadline allows: waiting would be in vain.
 *
 * @param delay how long it has to wait at least, in ms
 * @param now a moment of the `elapsed()` clock
 * @param arithmetic how that is known, for the message
 */
export function infeasible(ask: Ask, delay: number, now: number, arithmetic = ''): DeadlineError | undefined {
  const { deadline = Infinity } = ask;
  if (delay === 0 || now + delay < deadline) return undefined;
  const place = ask.url === undefined ? '' : ` at ${destinationOf(ask)}`;
  const message = `The deadline cannot be kept${place}: ${arithmetic}the turn comes in ${seconds(delay)}, and ${seconds(deadline - now)} are left`;
  return new DeadlineError(message, 'infeasible');
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
