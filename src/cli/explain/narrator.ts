import { isDeadlineError } from '../../request/errors/DeadlineError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isTimeoutError } from '../../request/errors/TimeoutError.js';
import type { GaveUpEvent, HeadersEvent, HttpEvent, WaitEvent } from '../../request/HttpEvent.js';
import type { RetryRule } from '../../retry/RetryPolicy.js';
import { elapsed } from '../../time.js';
import { formatTime } from '../../timeline/formatTime.js';
import { sourceName } from '../../timeline/wording.js';
import type { ExplainedStep } from './Explanation.js';
import type { Overheard, WatchedPolicy } from './watchPolicy.js';

/** Tells why, in one sentence for each wait and for giving up. */
export interface Narrator {
  /** Has to be told each event at the moment it happens. */
  readonly hear: (event: HttpEvent) => void;
  readonly steps: readonly ExplainedStep[];
}

/**
 * Reasons are read off the events, and off what the policy's own functions said. Only a backoff that nobody asked for is asked for here, with
 * the policy's `random`, so that has to be a fixed draw.
 *
 * @param method of the request
 */
export function narrator({ policy, look }: WatchedPolicy, method: string): Narrator {
  const steps: ExplainedStep[] = [];
  const retries = new Map<string, number>();
  const previous = new Map<string, number>();
  let answer: HeadersEvent | undefined;

  const explainWait = (event: WaitEvent): string => {
    const { kind, delay, source } = event;
    const rule = policy.rules[kind];
    const { backoff, hint }: Overheard = look()[kind] ?? {};
    const index = retries.get(kind) ?? 0;
    const own = (): number => backoff ?? rule?.backoff({ index, previous: previous.get(kind), random: policy.random }) ?? 0;
    const count = `retry ${index + 1}${rule && rule.retries < Infinity ? ` of ${rule.retries}` : ''} for ${kind}`;
    const why = source === 'backoff' ? `own backoff${unheeded(rule, hint)}, ${count}` : explainHint(event, rule, hint ?? delay, own());
    // What the sentence itself asked for was not asked by the road.
    look();
    retries.set(kind, index + 1);
    if (backoff !== undefined) previous.set(kind, backoff);
    const left = policy.deadline - event.elapsed - delay;
    return `waits ${formatTime(delay)}: ${why}${left < Infinity ? `; ${formatTime(left)} of the deadline left` : ''}`;
  };

  const unheeded = (rule: RetryRule | undefined, hint: number | undefined): string => {
    const asked = answer?.headers.get('retry-after') ?? undefined;
    if (asked === undefined) return '';
    if (hint === 0) return ' (a second zero in a row is not believed)';
    return rule?.sources
      ? ` ("Retry-After: ${asked}" is no delay to this policy)`
      : ` (this policy heeds no Retry-After on a ${answer?.status ?? 0})`;
  };

  const explainEnd = ({ reason, kind = '', error }: GaveUpEvent): string => {
    const rule = policy.rules[kind];
    const { hint, backoff = 0 }: Overheard = look()[kind] ?? {};
    switch (reason) {
      case 'exhausted':
        return rule?.retries === 0 ? `${kind} failures are not retried` : `the ${rule?.retries ?? 0} retries for ${kind} are used up`;
      case 'deadline':
        if (isDeadlineError(error)) return `the deadline of ${formatTime(policy.deadline)} passed in flight`;
        return `${formatTime(Math.max(hint ?? 0, backoff))} do not fit in the ${formatTime(policy.deadline - elapsed())} that the deadline leaves`;
      case 'not-replayable':
        return `a ${method} without an idempotency key is not sent again for this`;
      case 'max-hint':
        return `the server asks for ${formatTime(hint ?? 0)}, more than the ${formatTime(policy.maxHint)} that this policy obeys`;
      case 'terminal':
        return isHttpError(error) ? `no rule of this policy takes a ${error.status}` : 'no retry can help';
      default:
        return reason;
    }
  };

  return {
    steps,
    hear: (event) => {
      const { attempt } = event;
      const step = (after: string, text: string): void => void steps.push({ at: elapsed(), attempt, after, text });
      switch (event.type) {
        case 'sent':
          look();
          answer = undefined;
          break;
        case 'headers':
          answer = event;
          break;
        case 'wait':
          step(failureOf(event), explainWait(event));
          break;
        case 'gave-up':
          step(failureOf(event), `gives up: ${explainEnd(event)}`);
          break;
      }
    },
  };
}

function failureOf({ error, status }: WaitEvent | GaveUpEvent): string {
  if (status !== undefined) return String(status);
  if (isTimeoutError(error)) return 'timeout';
  return isDeadlineError(error) ? 'deadline' : 'network';
}

/** @param own what the rule's own backoff is here, in ms, whether it counted or not */
function explainHint({ source, capped, delay }: WaitEvent, rule: RetryRule | undefined, hint: number, own: number): string {
  const name = sourceName(source);
  const spread = rule?.spread ?? 0;
  if (capped) return `${name} asked for ${formatTime(hint)}, capped at ${formatTime(rule?.cap ?? delay)}`;
  const minimum = spread > 0 ? Math.max(hint, own) : hint;
  const extra = delay - minimum >= 1 ? `, plus ${formatTime(delay - minimum)} of spread` : '';
  if (minimum > hint) return `${name} asked for ${formatTime(hint)}, own backoff of ${formatTime(own)} is longer${extra}`;
  const asked = extra === '' ? `${name} asked for it` : `${name} asked for ${formatTime(hint)}${extra}`;
  return `${asked}; own backoff would have been ${formatTime(own)}`;
}
