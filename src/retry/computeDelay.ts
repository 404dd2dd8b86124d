import type { HeadersLike } from '../headers/HeadersLike.js';
import { CAP } from '../request/defaults.js';
import { UsageError } from '../request/errors/UsageError.js';
import { isDelay } from './resolvePolicy.js';
import type { RetryRule } from './RetryPolicy.js';

/** Longest spread on top of a hint, in ms. */
const MAX_SPREAD = 3000;

/** A delay that a server asks for. */
export interface Hint {
  /** Delay in ms, counted from the response. */
  readonly delay: number;
  /** Name of the delay source that read it. */
  readonly source: string;
  /** True if no policy may shorten the delay: an announced quota is used up until then. */
  readonly binding?: boolean;
}

/** Circumstances that a delay depends on, beside rule and hint. */
export interface DelayContext {
  /** Milliseconds until the deadline, to which the spread is trimmed. */
  readonly left: number;
  /** Retry index of the rule's own backoff: 0, 1, 2, ... */
  readonly index: number;
  readonly random: () => number;
}

/** The delay before a retry. */
export interface RetryDelay {
  /** Delay in ms. */
  readonly delay: number;
  /** Part of the delay that must fit in the deadline, in ms: the delay without its spread. */
  readonly minimum: number;
  /** The server's delay in ms, where it counted. */
  readonly hint: number | undefined;
  readonly source: string;
  readonly capped: boolean;
  /** The rule's own backoff, where one was drawn. */
  readonly backoff: number | undefined;
}

/** The first delay that one of a rule's sources reads. */
export function readHint(sources: RetryRule['sources'] = {}, headers: HeadersLike | undefined, now: number): Hint | undefined {
  if (!headers) return undefined;
  for (const [source, read] of Object.entries(sources)) {
    const delay = read(headers, now);
    if (isDelay(delay)) return { delay, source };
  }
  return undefined;
}

/**
 * Delay before a retry: the hint as the rule takes it (Retry-After is capped here), else the rule's own backoff.
 *
 *     capped     min(hint, cap)
 *     minimum    max(hint, own backoff) + spread, where the rule has a spread; else the hint
 *     binding    the hint, whatever the rule says
 *
 * @throws UsageError where the backoff returns no delay; errors of the backoff itself pass through
 */
export function computeDelay(rule: RetryRule, previous: number | undefined, hint: Hint | undefined, context: DelayContext): RetryDelay {
  const { left, index, random } = context;
  const { hint: mode, cap = CAP, spread = 0 } = rule;
  const own = (): number => {
    const delay = rule.backoff({ index, previous, random });
    if (!isDelay(delay)) throw new UsageError(`A backoff returned ${String(delay)}; it has to return milliseconds, 0 or more`);
    return delay;
  };
  if (hint === undefined) {
    const backoff = own();
    return { delay: backoff, minimum: backoff, hint: undefined, source: 'backoff', capped: false, backoff };
  }
  const { delay: asked, source } = hint;
  if (hint.binding) return { delay: asked, minimum: asked, hint: asked, source, capped: false, backoff: undefined };
  if (mode === 'capped') {
    const delay = Math.min(asked, cap);
    return { delay, minimum: delay, hint: asked, source, capped: asked > cap, backoff: undefined };
  }
  const backoff = spread > 0 ? own() : undefined;
  const minimum = Math.max(asked, backoff ?? 0);
  const extra = spread > 0 ? random() * Math.min(MAX_SPREAD, asked * spread) : 0;
  const delay = Math.max(minimum, Math.min(minimum + extra, left - 1));
  return { delay, minimum, hint: asked, source, capped: false, backoff };
}
