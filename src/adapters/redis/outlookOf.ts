import type { Ask, Outlook } from '../../pace/Limiter.js';
import { originOf } from '../../pace/originOf.js';
import { DeadlineError } from '../../request/errors/DeadlineError.js';
import type { SharedQuota } from './SharedQuota.js';

/**
 * When the turn of an ask comes, if all clients want as much as this one: `ceil(max(0, need x n - r) / q)` windows from now. What its
 * deadline does not allow is refused at once.
 *
 * @param ahead how many asks of this client go before it
 */
export function outlookOf(shared: SharedQuota, ask: Ask, ahead: number, now: number): Outlook {
  const { standing, clients } = shared;
  const { quota, window, remaining = 0, ends = 0, gate = 0 } = standing;
  const source = 'gate';
  let comes = Math.max(now, gate);
  if (quota === undefined || window === undefined || ends <= now) return { source, delay: comes - now };

  const need = ahead + 1;
  const windowsLeft = Math.ceil(Math.max(0, need * clients - remaining) / quota);
  if (windowsLeft > 0) comes = Math.max(comes, ends + (windowsLeft - 1) * window);
  const delay = comes - now;
  const { deadline = Infinity } = ask;
  if (comes < deadline || delay === 0) return { source, delay, windowsLeft };
  const message =
    `The deadline cannot be kept at ${originOf(ask)}: ${need} requests x ${clients} clients - ${remaining} left, ` +
    `at ${quota} per ${window / 1000} s, are ${windowsLeft} more windows; the turn comes in ${seconds(delay)} s, ` +
    `and ${seconds(deadline - now)} s are left`;
  return { source, delay, windowsLeft, refusal: new DeadlineError(message, 'infeasible') };
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
