import { NEVER } from 'rxjs';
import { isNotNegative, requireThat } from '../request/checkOptions.js';
import { elapsed } from '../time.js';
import type { Limiter } from './Limiter.js';
import { makePermit } from './makePermit.js';
import { queued } from './queue/LimiterQueue.js';

/**
 * Keeps at least `ms` between the starts of two requests.
 *
 *     spacing(3)    a--a--a
 *
 * @param ms milliseconds, 0 or more
 */
export function spacing(ms: number): Limiter {
  requireThat(isNotNegative(ms), 'spacing', 'ms', ms, 'milliseconds, 0 or more');
  let next = -Infinity;
  return queued({
    changed$: NEVER,
    check: () => Math.max(0, next - elapsed()),
    estimate: (_ask, ahead) => {
      const least = Math.max(0, next - elapsed());
      return { source: 'spacing', delay: least + ahead * ms, least };
    },
    take: () => {
      next = elapsed() + ms;
      return makePermit({});
    },
  });
}
