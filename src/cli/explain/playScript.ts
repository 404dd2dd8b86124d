import { mergeMap, Subject, tap, throwError } from 'rxjs';
import { createClient } from '../../client/createClient.js';
import type { Limiter } from '../../pace/Limiter.js';
import { isUsageError, UsageError } from '../../request/errors/UsageError.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import { HttpRequest } from '../../request/HttpRequest.js';
import type { RetryPolicy } from '../../retry/RetryPolicy.js';
import { virtualTime } from '../../simulate/virtualTime.js';
import { reply } from '../../testing/scripted/reply.js';
import type { ScriptedReply } from '../../testing/scripted/script.js';
import { scriptedFetch } from '../../testing/scripted/scriptedFetch.js';
import { wait } from '../../time.js';
import { timeline } from '../../timeline/timeline.js';
import type { Timeline, TimelineRequest } from '../../timeline/TimelineData.js';
import type { Played } from './Explanation.js';
import type { ExplainStep } from './parseExplainScript.js';

/** A script, the request that it answers, and the policy of the request. */
export interface ScriptInput {
  readonly policy: RetryPolicy;
  readonly steps: readonly ExplainStep[];
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest wait at the limiter, all attempts together, in ms. */
  readonly maxWait: number;
  /** Time that the server takes to answer, in ms, where the step does not say. */
  readonly latency: number;
  /** Moment at which the caller's signal aborts, in ms; negative: before the start. */
  readonly abortAt?: number | undefined;
  /** Name of the timeline's row. */
  readonly label?: string | undefined;
}

/** A play: a script, and the client's limiter. */
export interface PlayInput extends ScriptInput {
  readonly limiter: Limiter | false;
}

const URL = 'https://api.example.com/';

/**
 * Plays a script of answers against a policy: a client like that of `createClient` sends a request through its whole pipeline, in virtual
 * time. It takes no time, opens no connection, and models nothing.
 *
 * @param next takes each event as it happens
 * @throws UsageError for a request that cannot be sent; any error of a function of the policy
 */
export function playScript(input: PlayInput, next: (event: HttpEvent) => void = () => undefined): Played {
  const { policy, steps, method, headers, latency, abortAt, label, limiter, maxWait } = input;
  const outOfScript$ = new Subject<void>();
  const unforeseen = (): ScriptedReply => {
    outOfScript$.next();
    return 'hang';
  };
  const server = scriptedFetch([...steps.map((step) => () => toAnswer(step, latency)), unforeseen]);
  const http = createClient({ fetch: server, retry: policy, pace: limiter && { limiter, maxWait } });
  const controller = new AbortController();
  const request = new HttpRequest(method, URL, { headers, responseType: 'text', signal: controller.signal, abort$: outOfScript$ });
  const played: Timeline[] = [];
  const refused: UsageError[] = [];

  virtualTime(() => {
    const abort = (): void => controller.abort(new Error('aborted'));
    if (abortAt !== undefined && abortAt < 0) abort();
    else if (abortAt !== undefined) wait(abortAt).subscribe(abort);
    const { deadline } = policy;
    const events$ = http.request(request).pipe(tap({ next, error: (error: unknown) => isUsageError(error) && refused.push(error) }));
    timeline(events$, { label, deadline }).subscribe((whole) => played.push(whole));
  });
  if (refused[0]) throw refused[0];

  const [whole] = played;
  const [row] = whole?.requests ?? [];
  // A request that hangs never ends without a timeout or a deadline.
  if (!whole || !row) throw new UsageError('This never ends: give the policy a timeout or a deadline');
  const hits = server.requests.map(({ at }) => at);
  if (hits.length > steps.length) {
    const attempts = row.attempts.slice(0, steps.length);
    const shown: Timeline = { ...whole, requests: [{ ...row, attempts, outcome: { type: 'running' } }] };
    return { outcome: 'script-ended', hits: hits.slice(0, steps.length), end: row.end, timeline: shown };
  }
  return { ...endOf(row), hits, end: row.end, timeline: whole };
}

function endOf({ outcome }: TimelineRequest): Pick<Played, 'outcome' | 'status' | 'error' | 'reason'> {
  switch (outcome.type) {
    case 'answered':
      return { outcome: 'answered', status: outcome.status };
    case 'aborted':
      return { outcome: 'aborted' };
    default:
      return {
        outcome: 'gave-up',
        ...('status' in outcome && { error: outcome.status }),
        ...('reason' in outcome && { reason: outcome.reason }),
      };
  }
}

function toAnswer({ answer, latency: own }: ExplainStep, latency: number): ScriptedReply {
  const delay = own ?? latency;
  if (answer.type === 'hang') return 'hang';
  if (answer.type === 'status') return reply(answer.status, { headers: answer.headers, delay });
  // Marbles without an end: one piece of the body, then silence.
  if (answer.type === 'stall') return reply(200, { chunks: 'a', delay });
  const lost = new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  return delay > 0 ? wait(delay).pipe(mergeMap(() => throwError(() => lost))) : lost;
}
