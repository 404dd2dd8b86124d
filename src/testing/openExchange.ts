import { defer, finalize, mergeMap, NEVER, Observable, of, tap, throwError } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import { elapsed, wait } from '../time.js';
import { stopOn } from '../transport/stopOn.js';
import type { RecordedRequest } from './RecordedRequest.js';
import { reply } from './reply.js';
import type { Answer, ScriptStep } from './script.js';
import { VirtualResponse } from './VirtualResponse.js';

/** A request in the making of its record. */
type OpenRequest = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };

/** One request to a scripted server: its record, and the answer that the script gives it. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly answer: (step: ScriptStep) => Observable<Response>;
}

/** Reads what `fetch` was called with. */
export function openExchange(input: string | URL | Request, init: RequestInit): Exchange {
  const source = input instanceof Request ? input : undefined;
  const request: OpenRequest = {
    at: elapsed(),
    method: init.method ?? source?.method ?? 'GET',
    url: input instanceof Request ? input.url : input.toString(),
    headers: new Headers(init.headers ?? source?.headers),
    body: init.body ?? source?.body ?? undefined,
    answeredAt: undefined,
    abortedAt: undefined,
    response: undefined,
  };
  const signal = init.signal ?? source?.signal;
  return {
    request,
    answer: ({ latency, answer }) =>
      toResponse(answer, request, latency, signal).pipe(
        stopOn({ signal }),
        tap({
          next: (response) => {
            request.answeredAt = elapsed();
            request.response = response;
          },
          error: () => {
            if (signal?.aborted) request.abortedAt ??= elapsed();
            else request.answeredAt ??= elapsed();
          },
        }),
        finalize(() => {
          if (request.answeredAt === undefined) request.abortedAt ??= elapsed();
        }),
      ),
  };
}

function after(latency: number, response$: Observable<Response>): Observable<Response> {
  return latency > 0 ? wait(latency).pipe(mergeMap(() => response$)) : response$;
}

function toResponse(answer: Answer, request: RecordedRequest, latency: number, signal: AbortSignal | undefined): Observable<Response> {
  if (typeof answer === 'function') return defer(() => toResponse(answer(request), request, latency, signal));
  if (typeof answer === 'number') return toResponse(reply(answer), request, latency, signal);
  if (answer === 'hang') return NEVER;
  if (typeof answer === 'string')
    return after(
      latency,
      throwError(() => connectionLost(answer)),
    );
  if (answer instanceof Observable) return after(latency, answer);
  if (answer instanceof VirtualResponse)
    return after(
      latency + answer.delay,
      defer(() => of(answer.from(request.url, signal))),
    );
  if (answer instanceof Response) return after(latency, of(answer));
  if (answer instanceof Error)
    return after(
      latency,
      throwError(() => answer),
    );
  return throwError(
    () =>
      new UsageError(
        `A script answers with a response, a status, 'network', 'hang', an error, an observable or a function, not ${String(answer)}`,
      ),
  );
}

/** What Node's `fetch` fails with when the connection is lost. */
function connectionLost(answer: string): TypeError {
  const code = answer.split(' ')[1] ?? 'ECONNRESET';
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connection lost: ${code}`), { code }) });
}
