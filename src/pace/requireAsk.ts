import { UsageError } from '../request/errors/UsageError.js';
import type { Ask } from './Limiter.js';
import { AGEING } from './queue/Line.js';

/**
 * Refuses an ask that no limiter could be fair to: one NaN would spoil the account of all that follow.
 *
 * @throws UsageError that names the field, and what to give instead
 */
export function requireAsk(ask: Ask): void {
  const { priority = 'normal', cost = 0, rejections = 0, maxWait = 0, deadline = 0 } = ask;
  if (!Object.hasOwn(AGEING, priority)) refuse('priority', priority, `one of ${Object.keys(AGEING).join(', ')}`);
  if (!(cost >= 0)) refuse('cost', cost, 'a number, 0 or more');
  if (!(rejections >= 0)) refuse('rejections', rejections, 'a number, 0 or more');
  if (!(maxWait >= 0)) refuse('maxWait', maxWait, 'milliseconds, 0 or more');
  if (Number.isNaN(deadline)) refuse('deadline', deadline, 'a moment of the elapsed() clock');
}

function refuse(field: string, value: unknown, remedy: string): never {
  throw new UsageError(`An ask's ${field} is ${String(value)}; give ${remedy}`);
}
