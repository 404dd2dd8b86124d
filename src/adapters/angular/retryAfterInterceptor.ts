import { type HttpEvent, HttpEventType, type HttpInterceptorFn } from '@angular/common/http';
import { retryAfter, type RetryAfterInput } from '../../operation/retryAfter.js';
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
 * With a `limiter` (a `pacer()` for the application, say) each attempt asks for a permit, and a 429 holds the requests that it concerns. A request
 * that brings a policy of its own keeps the interceptor's limiter unless it names one.
 *
 * @param policy a policy and a limiter, or the fields that differ from `policies.standard`; a number of retries; `false`: only requests with a
 *   `RETRY_POLICY` are retried
 * @throws UsageError at once if the policy is nonsense
 */
export function retryAfterInterceptor(policy: RetryAfterInput<HttpEvent<unknown>> | number | false = {}): HttpInterceptorFn {
  // Nonsense shows here, not with the first request.
  if (policy !== false) retryAfter(policy);
  const limiter = typeof policy === 'object' ? policy.limiter : undefined;
  return (request, next) => {
    const asked = request.context.get(RETRY_POLICY) ?? policy;
    if (asked === false && !limiter) return next(request);
    const input = asked === false ? NO_RETRIES : typeof asked === 'number' ? { retries: asked } : asked;
    const { method, headers, urlWithParams: url } = request;
    return next(request).pipe(
      retryAfter({
        limiter,
        ...input,
        isProgress: ({ type }) => type !== HttpEventType.Response,
        request: { method: method.toUpperCase(), headers, url, ...input.request },
      }),
    );
  };
}

const NO_RETRIES: RetryAfterInput<HttpEvent<unknown>> = { rules: {} };
