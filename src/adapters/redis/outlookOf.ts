import { gateOutlook } from '../../pace/gateOutlook.js';
import type { Ask, Outlook } from '../../pace/Limiter.js';
import type { SharedQuota } from './SharedQuota.js';

/**
 * When the turn of an ask comes, by what the account last told.
 *
 * @param ahead how many asks of this client go before it
 */
export function outlookOf({ standing, clients }: SharedQuota, ask: Ask, ahead: number, now: number): Outlook {
  const { quota, window, remaining = 0, ends = 0, gate = 0 } = standing;
  return gateOutlook(ask, ahead, now, gate, ends > now ? [{ quota, window, remaining, ends, clients }] : []);
}
