import { Observable } from 'rxjs';
import type { Interceptor } from '../request/Handler.js';
import type { HttpEvent } from '../request/HttpEvent.js';
import { DEADLINE, LAST_ERROR, PACING, REJECTIONS, REQUEST_ID } from '../request/tokens.js';
import { attempts } from './attempts.js';
import { notifier } from './notifier.js';
import { resolvePolicy } from './resolvePolicy.js';
import type { RetryPolicyInput } from './RetryPolicy.js';

/**
 * The station that decides about one request: sends it again as the policy says, and adds `wait` and `gave-up` to its events. Each attempt
 * carries its number, the deadline and the 429s so far to the stations behind; the policy's timeout goes down to the transport.
 *
 * @throws UsageError at once if the policy is nonsense
 */
export function retry(input?: RetryPolicyInput<HttpEvent>): Interceptor {
  const policy = resolvePolicy({ ...input, isProgress: (event: HttpEvent) => event.type !== 'response' });
  const notify = notifier(policy.notify);
  return (request, next) =>
    new Observable<HttpEvent>((subscriber) => {
      const { context, url, timeout = policy.timeout } = request;
      const tell = (event: HttpEvent & { type: 'wait' | 'gave-up' }): void => {
        notify(event);
        subscriber.next(event);
      };
      const operation = { requestId: context.get(REQUEST_ID), origin: URL.canParse(url) ? new URL(url).origin : undefined, tell };
      const answer$ = attempts<HttpEvent>(
        (attempt, { deadline, rejections, lastError, pacing }) =>
          next(
            request.clone({
              attempt,
              timeout,
              context: context
                .set(DEADLINE, Math.min(deadline, context.get(DEADLINE)))
                .set(REJECTIONS, rejections)
                .set(LAST_ERROR, lastError)
                .set(PACING, pacing),
            }),
          ),
        policy,
        operation,
      );
      subscriber.add(answer$.subscribe(subscriber));
    });
}
