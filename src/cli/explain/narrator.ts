import { isDeadlineError } from '../../request/errors/DeadlineError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isTimeoutError } from '../../request/errors/TimeoutError.js';
import { readRateLimit } from '../../headers/rateLimit/readRateLimit.js';
import type { Hold } from '../../pace/Limiter.js';
import type { GaveUpEvent, HeadersEvent, HttpEvent, WaitEvent } from '../../request/HttpEvent.js';
import type { RetryRule } from '../../retry/RetryPolicy.js';
import { elapsed, wallClock } from '../../time.js';
import { formatDuration } from '../../request/duration.js';
import { sourceName } from '../../timeline/wording.js';
import { delayFieldOf } from './delayFields.js';
import type { ExplainedStep } from './Explanation.js';
import type { WatchedLimiter } from './watchLimiter.js';
import type { Observed, WatchedPolicy } from './watchPolicy.js';

/** Characters of a field's value that a sentence shows. */
const LONGEST_VALUE = 40;

/** Finds the reasons: one sentence for each wait and for giving up. */
export interface Narrator {
  /** Takes each event at the moment at which it happens. */
  readonly next: (event: HttpEvent) => void;
  readonly steps: readonly ExplainedStep[];
}

/** Facts about a play: its policy, and its limiter, where there is one. */
export interface NarratedPlay {
  readonly policy: WatchedPolicy;
  readonly limiter?: WatchedLimiter | undefined;
}

/** The request of a play. */
export interface PlayedRequest {
  readonly method: string;
  /** Longest wait at the limiter, in ms. */
  readonly maxWait: number;
}

/**
 * Reasons are read off the events, and off the results of the functions of the policy and of the limiter. Only a backoff that the operation
 * did not draw is drawn here, with the policy's `random`, so that has to be a fixed draw.
 */
export function narrator({ policy: { policy, look }, limiter }: NarratedPlay, { method, maxWait }: PlayedRequest): Narrator {
  const steps: ExplainedStep[] = [];
  const retries = new Map<string, number>();
  const previous = new Map<string, number>();
  let answer: HeadersEvent | undefined;

  const explainWait = (event: WaitEvent): string => {
    const { kind, delay, source } = event;
    const rule = policy.rules[kind];
    const { hold } = limiter?.words() ?? {};
    const { backoff, hint }: Observed = look()[kind] ?? {};
    const index = Math.max(retries.get(kind) ?? 0, (hold?.refusal.refusals ?? 1) - 1);
    const own = (): number => backoff ?? rule?.backoff({ index, previous: previous.get(kind), random: policy.random }) ?? 0;
    const why =
      source === 'backoff'
        ? `own backoff${unheeded(rule, hint)}`
        : hold?.refusal.binding
          ? explainQuota(event, rule, hold, own())
          : explainHint(event, rule, hint ?? delay, own());
    // Backoffs that the sentence itself drew were not drawn by the operation.
    look();
    if (backoff !== undefined) previous.set(kind, backoff);
    return `waits ${formatDuration(delay)} ${placeOf(hold, answer)} (${kind}, ${countRetry(kind, rule, hold)}): ${why}${deadlineLeft(event)}`;
  };

  const countRetry = (kind: string, rule: RetryRule | undefined, hold: Hold | undefined): string => {
    if (hold?.counted === false) return 'not counted: others were quicker';
    const count = (retries.get(kind) ?? 0) + 1;
    retries.set(kind, count);
    return `retry ${count}${rule && rule.retries < Infinity ? ` of ${rule.retries}` : ''}`;
  };

  const deadlineLeft = ({ elapsed: passed, delay }: WaitEvent): string => {
    const left = policy.deadline - passed - delay;
    return left < Infinity ? `; ${formatDuration(left)} of the deadline left` : '';
  };

  /** A wait that has been reported, and goes on. */
  const explainMore = (event: WaitEvent): string =>
    `waits ${formatDuration(event.delay)} more at the pacer: the answers announce that nothing is left until then${deadlineLeft(event)}`;

  const unheeded = (rule: RetryRule | undefined, hint: number | undefined): string => {
    const field = answer && delayFieldOf(answer.headers);
    if (!answer || !field) return '';
    if (hint === 0) return ' (a second zero in a row is ignored)';
    if (!rule?.sources) return ` (this policy heeds no ${field.name} on a ${answer.status})`;
    const { name, value } = field;
    const shown = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
    return ` ("${name}: ${shown}" is not a delay to this policy)`;
  };

  const explainEnd = (event: GaveUpEvent): string => {
    const { reason, kind = '', error } = event;
    const rule = policy.rules[kind];
    const { hint, backoff = 0 }: Observed = look()[kind] ?? {};
    const { hold, estimate } = limiter?.words() ?? {};
    const wait = Math.max(hint ?? 0, backoff, hold?.refusal.delay ?? 0, estimate?.least ?? 0);
    switch (reason) {
      case 'exhausted':
        return rule?.retries === 0 ? `${kind} failures are not retried` : `the ${rule?.retries ?? 0} retries for ${kind} are used up`;
      case 'deadline':
        if (isDeadlineError(error)) return `the deadline of ${formatDuration(policy.deadline)} passed while the request was in flight`;
        return explainMisfit(wait, policy.deadline - elapsed());
      case 'not-replayable':
        return `after a ${failureOf(event).replace('network', 'network error')} this policy sends a ${method} again only with an idempotency-key`;
      case 'max-hint':
        return `the server asks for ${formatDuration(hint ?? 0)}, more than the ${formatDuration(policy.maxHint)} that this policy obeys`;
      case 'max-wait':
        return `a wait of ${formatDuration(wait)} is longer than the ${formatDuration(maxWait)} for which the client lets requests wait at its pacer`;
      case 'terminal':
        return isHttpError(error) ? `no rule of this policy takes a ${error.status}` : 'no retry can help';
      default:
        return reason;
    }
  };

  return {
    steps,
    next: (event) => {
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
          step(failureOf(event, answer), event.updated ? explainMore(event) : explainWait(event));
          break;
        case 'gave-up':
          step(failureOf(event, answer), `gives up: ${explainEnd(event)}`);
          break;
      }
    },
  };
}

/** @param answer response whose body failed, if its head arrived */
function failureOf({ error, status }: WaitEvent | GaveUpEvent, answer?: HeadersEvent): string {
  if (status !== undefined) return String(status);
  const what = isTimeoutError(error) ? 'timeout' : isDeadlineError(error) ? 'deadline' : 'network';
  return answer ? `${answer.status} ${what}` : what;
}

/** Length of the wait, and the rest of the deadline, in ms: a wait that ends with the deadline leaves no time for a request. */
function explainMisfit(wait: number, left: number): string {
  const [asked, rest] = [formatDuration(wait), formatDuration(left)];
  return asked === rest
    ? `a wait of ${asked} would last until the deadline`
    : `a wait of ${asked} does not fit in the ${rest} that the deadline leaves`;
}

/** The sleeper: the gate that the failure has closed, else a timer. */
function placeOf(hold: Hold | undefined, answer: HeadersEvent | undefined): string {
  if (!hold) return 'on a timer';
  const announced = hold.refusal.binding || (answer !== undefined && readRateLimit(answer.headers, wallClock()).length > 0);
  return announced ? 'at the gate of the announced quota' : 'at the gate of its route';
}

/** @param own the rule's own backoff here, in ms, whether it counted or not */
function explainHint({ source, capped, delay }: WaitEvent, rule: RetryRule | undefined, hint: number, own: number): string {
  const name = sourceName(source);
  const spread = rule?.spread ?? 0;
  if (capped) return `${name} asked for ${formatDuration(hint)}, capped at ${formatDuration(rule?.cap ?? delay)}`;
  const minimum = spread > 0 ? Math.max(hint, own) : hint;
  const extra = delay - minimum >= 1 ? `, plus ${formatDuration(delay - minimum)} of spread` : '';
  if (minimum > hint) return `${name} asked for ${formatDuration(hint)}, own backoff of ${formatDuration(own)} is longer${extra}`;
  const asked = extra === '' ? `${name} asked for it` : `${name} asked for ${formatDuration(hint)}${extra}`;
  return `${asked}; own backoff would have been ${formatDuration(own)}`;
}

/** @param own the rule's own backoff here, in ms */
function explainQuota({ source, delay }: WaitEvent, rule: RetryRule | undefined, { refusal }: Hold, own: number): string {
  const closed = refusal.until - refusal.at;
  const said = `nothing is left, and ${sourceName(source)} says for ${formatDuration(closed)}`;
  const cap =
    rule?.hint === 'capped' && rule.cap !== undefined && closed > rule.cap ? `, which no cap shortens (${formatDuration(rule.cap)})` : '';
  const extra = delay - closed >= 1 ? `, plus ${formatDuration(delay - closed)} of the opening's spread` : '';
  return `${said}${cap}${extra}; own backoff would have been ${formatDuration(own)}`;
}
