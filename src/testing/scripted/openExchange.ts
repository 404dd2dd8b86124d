import { defer, finalize, isObservable, map, mergeMap, NEVER, type Observable, of, tap, throwError } from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import { sourceOf } from '../../request/multipart.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import { wait } from '../../time.js';
import { takeUntilAborted } from '../../transport/takeUntilAborted.js';
import { isError } from '../values/comparable.js';
import { frameNow } from '../diagrams/marbleTime.js';
import type { RecordedRequest } from './RecordedRequest.js';
import { reply } from './reply.js';
import { type ScriptedReply, checkAnswer, type ScriptStep } from './script.js';
import { isVirtualResponse } from './VirtualResponse.js';

/** A request in the making of its record. */
type OpenRequest = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

/** One request to a scripted server: its record, and the scripted answer to it. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly answer: (step: ScriptStep) => Observable<Response>;
}

/**
 * Reads the arguments of a call of `fetch`.
 *
 * @param report receives the error of a script that fails on the request, since the caller may swallow it
 */
export function openExchange(input: string | URL | Request, init: RequestInit, report: (problem: string) => void): Exchange {
  const source = input instanceof Request ? input : undefined;
  const request: OpenRequest = {
    at: frameNow(),
    method: init.method ?? source?.method ?? 'GET',
    url: input instanceof Request ? input.url : input.toString(),
    headers: new Headers(init.headers ?? source?.headers),
    body: sourceOf(init.body ?? source?.body ?? undefined),
    answeredAt: undefined,
    abortedAt: undefined,
    response: undefined,
  };
  const signal = init.signal ?? source?.signal;
  const giveUp = (): void => {
    request.abortedAt ??= frameNow();
  };
  return {
    request,
    answer: ({ latency, answer }) =>
      toResponse(answer, request, latency, report).pipe(
        map((response) => (isVirtualResponse(response) ? response.from(request.url, signal, giveUp) : response)),
        takeUntilAborted({ signal }),
        tap({
          next: (response) => {
            request.answeredAt = frameNow();
            request.response = response;
          },
          error: () => {
            if (!signal?.aborted) request.answeredAt ??= frameNow();
          },
        }),
        finalize(() => {
          if (request.answeredAt === undefined) giveUp();
        }),
      ),
  };
}

function toResponse(
  answer: ScriptedReply,
  request: RecordedRequest,
  latency: number,
  report: (problem: string) => void,
): Observable<Response> {
  if (typeof answer === 'function') return defer(() => toResponse(decided(answer, request, report), request, latency, report));
  if (answer === 'hang') return NEVER;
  const delay = latency + (isVirtualResponse(answer) ? answer.delay : 0);
  const answer$ = outcome(answer);
  return delay > 0 ? wait(delay).pipe(mergeMap(() => answer$)) : answer$;
}

/** Answer that the function of a script gives to a request. */
function decided(
  decide: (request: RecordedRequest) => ScriptedReply,
  request: RecordedRequest,
  report: (problem: string) => void,
): ScriptedReply {
  try {
    return checkAnswer(decide(request), () => 'What it answers');
  } catch (cause) {
    const problem = `The script fails on ${request.method} ${withoutSecrets(request.url)} at ${request.at} ms: ${String(cause)}`;
    report(problem);
    throw new UsageError(problem, { cause });
  }
}

function outcome(answer: Exclude<ScriptedReply, 'hang' | ((request: RecordedRequest) => ScriptedReply)>): Observable<Response> {
  if (isObservable(answer)) return answer;
  if (typeof answer === 'number') return of(reply(answer));
  if (typeof answer === 'string') return throwError(() => connectionLost(answer));
  return isError(answer) ? throwError(() => answer) : of(answer);
}

/** Error of Node's `fetch` for a lost connection. */
function connectionLost(answer: string): TypeError {
  const code = answer.split(' ')[1] ?? 'ECONNRESET';
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connection lost: ${code}`), { code }) });
}
