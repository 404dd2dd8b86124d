import { identity, Observable, tap } from 'rxjs';
import type { Handler, Interceptor } from '../request/Handler.js';
import { HttpContextToken } from '../request/HttpContext.js';
import type { HttpEvent, RetryEvent } from '../request/HttpEvent.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { ATTEMPT, type AttemptInfo, REQUEST_ID } from '../request/tokens.js';
import { attempts } from './attempts.js';
import { notifier } from './notifier.js';
import { type ResolvedPolicy, resolvePolicy } from './resolvePolicy.js';
import type { RetryOptions } from './RetryPolicy.js';

/** Another policy for one request than the client's, or what differs from `policies.standard`; `false`: no retries. */
export const RETRY = /* @__PURE__ */ new HttpContextToken<RetryOptions | false | undefined>('retry', () => undefined);

/**
 * The station that decides about one request: sends it again as the policy says, and adds `wait` and `gave-up` to its events. Each attempt
 * carries its number, the deadline and the 429s so far to the stations behind; the policy's timeout goes down to the transport. A request's
 * own policy (`RETRY`) goes before the station's.
 *
 * @param input the policy, or what differs from `policies.standard`; `false`: no retries
 * @throws UsageError at once if the policy is nonsense
 */
export function retry(input?: RetryOptions | false): Interceptor {
  const own = input === false ? false : eventPolicy(input);
  return (request, next) => {
    const asked = request.context.get(RETRY);
    const policy = asked === undefined ? own : asked === false ? false : eventPolicy(asked);
    return policy === false ? next(request) : retrying(request, next, policy);
  };
}

function eventPolicy(input: RetryOptions = {}): ResolvedPolicy<HttpEvent> {
  return resolvePolicy<HttpEvent>({ ...input, isProgress: ({ type }) => type !== 'response', resume: undefined });
}

function retrying(request: HttpRequest, next: Handler, policy: ResolvedPolicy<HttpEvent>): Observable<HttpEvent> {
  return new Observable((subscriber) => {
    const { context, url, timeout = policy.timeout } = request;
    // Of the operation that this one is a part of, where it is.
    const whole = context.get(ATTEMPT);
    const notify = notifier(policy.notify);
    const tell = (event: RetryEvent): void => {
      notify(event);
      subscriber.next(event);
    };
    const operation = { stopped: true, requestId: context.get(REQUEST_ID), url, tell };
    // Waits at a gate come from behind; whoever hears of waits hears of these too.
    const overhear = policy.notify ? tap<HttpEvent>((event) => (event.type === 'wait' ? notify(event) : undefined)) : identity;
    const send = (attempt: number, own: AttemptInfo): Observable<HttpEvent> => {
      const info: AttemptInfo = { ...own, began: whole.began, deadline: Math.min(own.deadline, whole.deadline) };
      return next(request.clone({ attempt, timeout, context: context.set(ATTEMPT, info) })).pipe(overhear);
    };
    attempts(send, policy, operation).subscribe(subscriber);
  });
}
