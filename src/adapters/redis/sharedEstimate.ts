import { gateEstimate } from '../../pace/gateEstimate.js';
import type { Estimate } from '../../pace/Limiter.js';
import type { SharedQuota } from './SharedQuota.js';

/**
 * Estimate of a wait at a shared quota, by the last news of the account.
 *
 * @param ahead number of asks of this client that go first
 */
export function sharedEstimate({ state, clients, refusal }: SharedQuota, ahead: number, now: number): Estimate {
  const { quota, window, remaining = 0, ends = 0, gate = 0 } = state;
  const estimate = gateEstimate(ahead, now, gate, ends > now ? [{ quota, window, remaining, ends, clients }] : []);
  return { ...estimate, cause: refusal?.answer.error };
}
