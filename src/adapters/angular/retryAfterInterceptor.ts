import { type HttpEvent, HttpEventType, type HttpInterceptorFn } from '@angular/common/http';
import { retryAfter } from '../../operation/retryAfter.js';
import type { RetryPolicyInput } from '../../retry/RetryPolicy.js';
import { RETRY_POLICY } from './RETRY_POLICY.js';

/**
 * An interceptor for Angular's `HttpClient` that retries as a policy says: Angular's errors carry status and header fields, the interceptor adds
 * what they lack, the request's method.
 *
 * Only the response counts as output; progress events of a failed attempt stay, and start at 0 again with the next. Interceptors that stand
 * behind it see every attempt, those before it the operation. A request overrides the policy, or switches it off, by {@link RETRY_POLICY}.
 *
 * Unsubscribing ends an attempt or a wait at once: a destroyed component, `switchMap`, a resource that loads anew. `abort$` completes without a
 * value, which `rxResource` and `firstValueFrom` take for an error of their own: give a `signal` where a rejection is wanted.
 *
 * @example
 * bootstrapApplication(App, {
 *   providers: [provideHttpClient(withFetch(), withInterceptors([retryAfterInterceptor(policies.interactive)]))],
 * });
 *
 * @param policy a policy, or what differs from `policies.standard`; `false`: only requests with a `RETRY_POLICY` are retried
 * @throws UsageError at once if the policy is nonsense
 */
export function retryAfterInterceptor(policy: RetryPolicyInput<HttpEvent<unknown>> | false = {}): HttpInterceptorFn {
  // Nonsense shows here, not with the first request.
  if (policy !== false) retryAfter(policy);
  return (request, next) => {
    const input = request.context.get(RETRY_POLICY) ?? policy;
    if (input === false) return next(request);
    const { method, headers, urlWithParams: url } = request;
    return next(request).pipe(
      retryAfter({
        ...input,
        isProgress: ({ type }) => type !== HttpEventType.Response,
        request: { method: method.toUpperCase(), headers, url, ...input.request },
      }),
    );
  };
}
