import { UsageError } from '../request/errors/UsageError.js';
import type { Failure } from './Failure.js';
import type { RetryRule } from './RetryPolicy.js';
import { isDelay } from './resolvePolicy.js';

/** The longest that a spread adds to a hint, in ms. */
const MOST_SPREAD = 3000;

/** What one rule remembers in one operation. */
export interface Tally {
  /** Retries made. */
  retries: number;
  /** Its last own backoff, in ms. */
  previous: number | undefined;
  /** Whether its last hint was zero. */
  zero: boolean;
}

/** What a plan depends on beside rule and failure. */
export interface PlanInput {
  /** Milliseconds until the deadline, to which the spread is trimmed. */
  readonly left: number;
  /** The wall clock, for dates. */
  readonly now: number;
  readonly random: () => number;
}

/** A wait as planned. */
export interface Plan {
  /** How long, in ms. */
  readonly delay: number;
  /** What must fit in the deadline, in ms: the delay without its spread. */
  readonly minimum: number;
  /** What the server asked for, if it did. */
  readonly hint: number | undefined;
  readonly source: string;
  readonly capped: boolean;
}

/**
 * How long to wait after a failure: the first hint that a source reads, as the rule takes it, else the rule's backoff at its own retry index.
 * A zero is not believed if the rule's previous hint was zero.
 */
export function planWait(rule: RetryRule, tally: Tally, { headers }: Failure, { left, now, random }: PlanInput): Plan {
  const { sources = {}, hint: mode, cap = 60_000, spread = 0 } = rule;
  const own = (): number => {
    const delay = rule.backoff({ index: tally.retries, previous: tally.previous, random });
    if (!isDelay(delay)) throw new UsageError(`A backoff returned ${String(delay)}; it has to return milliseconds, 0 or more`);
    tally.previous = delay;
    return delay;
  };
  const [source, hint] = (headers && firstHint(sources, headers, now)) ?? ['backoff', undefined];
  const doubted = hint === 0 && tally.zero;
  if (hint !== undefined) tally.zero = hint === 0;
  if (hint === undefined || doubted) {
    const delay = own();
    return { delay, minimum: delay, hint: undefined, source: 'backoff', capped: false };
  }
  if (mode === 'capped') {
    const delay = Math.min(hint, cap);
    return { delay, minimum: delay, hint, source, capped: hint > cap };
  }
  const minimum = spread > 0 ? Math.max(hint, own()) : hint;
  const extra = spread > 0 ? random() * Math.min(MOST_SPREAD, hint * spread) : 0;
  return { delay: Math.max(minimum, Math.min(minimum + extra, left - 1)), minimum, hint, source, capped: false };
}

function firstHint(
  sources: NonNullable<RetryRule['sources']>,
  headers: NonNullable<Failure['headers']>,
  now: number,
): [string, number] | undefined {
  for (const [name, read] of Object.entries(sources)) {
    const hint = read(headers, now);
    if (isDelay(hint)) return [name, hint];
  }
  return undefined;
}
