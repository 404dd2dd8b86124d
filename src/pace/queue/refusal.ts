import { DeadlineError } from '../../request/errors/DeadlineError.js';
import { LimiterError } from '../../request/errors/LimiterError.js';
import { formatDuration } from '../../request/duration.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import type { Ask, Estimate } from '../Limiter.js';
import type { Entry } from './Line.js';

/** Error of a waiter whose deadline or `maxWait` is over; `undefined`: neither is. */
export function expired({ waiter, cause, until }: Entry, now: number): DeadlineError | LimiterError | undefined {
  if (!waiter) return undefined;
  const { ask } = waiter;
  const { deadline = Infinity } = ask;
  if (now >= deadline) return new DeadlineError(`A request waited for its turn${place(ask)} until its deadline`, optionsOf(cause));
  if (now < until) return undefined;
  return new LimiterError(`A request waited for its turn${place(ask)} for as long as maxWait lets it; raise maxWait to wait longer`, {
    reason: 'max-wait',
    ...optionsOf(cause),
  });
}

/** Error of a waiter that is known to wait for longer than its deadline or `maxWait` allows: waiting would be in vain. */
export function infeasible({ waiter, until }: Entry, estimate: Estimate, now: number): DeadlineError | LimiterError | undefined {
  const { least = 0, because = '' } = estimate;
  if (!waiter || least === 0) return undefined;
  const { ask } = waiter;
  const { deadline = Infinity } = ask;
  const turn = `${because}the turn comes in ${formatDuration(least)}`;
  if (now + least >= deadline) {
    return new DeadlineError(
      `The deadline cannot be kept${place(ask)}: ${turn}, and ${formatDuration(deadline - now)} are left`,
      optionsOf(estimate.cause),
    );
  }
  if (now + least <= until) return undefined;
  return new LimiterError(
    `maxWait cannot be kept${place(ask)}: ${turn}, and maxWait leaves ${formatDuration(until - now)}; raise it to wait longer`,
    {
      reason: 'max-wait',
      ...optionsOf(estimate.cause),
    },
  );
}

/** Text that names the destination of an ask, for messages. */
export function place(ask: Ask): string {
  return ask.url === undefined ? '' : ` for ${withoutSecrets(ask.url)}`;
}

function optionsOf(cause: unknown): { cause?: unknown } {
  return cause === undefined ? {} : { cause };
}
