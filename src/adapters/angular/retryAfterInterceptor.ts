import { type HttpEvent, HttpEventType, type HttpInterceptorFn, type HttpRequest } from '@angular/common/http';
import { DestroyRef, inject } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { defer, finalize } from 'rxjs';
import { type RetryAfterInput, retryWith } from '../../operation/retryWith.js';
import { notifier } from '../../operation/events.js';
import type { Limiter } from '../../pace/Limiter.js';
import type { RetryEvent } from '../../request/HttpEvent.js';
import { pageUrl } from '../../request/urls.js';
import { angularFailure } from './angularFailure.js';
import { RETRY_POLICY } from './RETRY_POLICY.js';
import { LIMITER, POLICY } from './injectedClient.js';
import { emitWaits } from './WaitObserver.js';
import { WAITING_LIST } from './WAITING_REQUESTS.js';
import { WAITS } from './WAITS.js';

type PolicyInput = RetryAfterInput<HttpEvent<unknown>>;

/**
 * An interceptor for Angular's `HttpClient` that retries as a policy says: Angular's errors carry status and header fields, the interceptor adds
 * what they lack, the request's method.
 *
 * Only the response counts as output; progress events of a failed attempt stay, and start at 0 again with the next. Interceptors that stand
 * behind it see every attempt, those before it the operation. A request overrides the policy, or switches it off, by {@link RETRY_POLICY}, and
 * shows its own waits by `waitsTo`.
 *
 * Unsubscribing ends an attempt or a wait at once: a destroyed component, `switchMap`, a resource that loads anew. So does destroying the
 * injector: the request completes. `abort$` completes without a value, too, which `rxResource` and `firstValueFrom` take for an error of their
 * own: give a `signal` where a rejection is wanted.
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
 *   `RETRY_POLICY` are retried. By default the policy of `provideColdfetch`, else `policies.standard`; the limiter is that of `provideColdfetch`
 *   unless one is named here
 * @throws UsageError at once if the policy is nonsense
 */
export function retryAfterInterceptor(policy?: PolicyInput | number | false): HttpInterceptorFn {
  // A bad policy throws here, not with the first request.
  if (policy !== undefined && policy !== false) retryWith(policy, angularFailure);
  return (request, next) => {
    const own = policy ?? inject(POLICY, { optional: true }) ?? {};
    const limiter = limiterIn(own) ?? inject(LIMITER, { optional: true });
    const asked = request.context.get(RETRY_POLICY) ?? own;
    if (asked === false && !limiter) return next(request);
    const [destroyed, list] = [inject(DestroyRef), inject(WAITING_LIST)];
    return defer(() => {
      const waits = emitWaits(list.observe(request.method, request.urlWithParams), request.context.get(WAITS));
      const attempt$ = defer(() => {
        waits.end();
        return next(request);
      });
      const input = { ...(limiter && { limiter }), ...inputFor(request, asked) };
      const notify = notifier(input.notify);
      const told = (event: RetryEvent): void => {
        if (event.type === 'wait') waits.begin(event);
        notify(event);
      };
      return attempt$.pipe(retryWith({ ...input, notify: told }, angularFailure), takeUntilDestroyed(destroyed), finalize(waits.end));
    });
  };
}

function limiterIn(policy: PolicyInput | number | false): Limiter | undefined {
  return typeof policy === 'object' ? policy.limiter : undefined;
}

/** Policy of one request, with the facts that Angular's errors lack. */
function inputFor(request: HttpRequest<unknown>, policy: PolicyInput | number | false): PolicyInput {
  const input = policy === false ? NO_RETRIES : typeof policy === 'number' ? { retries: policy } : policy;
  const { method, headers, urlWithParams } = request;
  return {
    ...input,
    isProgress: ({ type }) => type !== HttpEventType.Response,
    request: { method: method.toUpperCase(), headers, url: absolute(urlWithParams), ...input.request },
  };
}

/** The URL as the page sends it, by which a limiter knows the origin; a path where there is no page. */
function absolute(url: string): string {
  const base = pageUrl();
  return URL.canParse(url, base) ? new URL(url, base).href : `/${url.replace(/^\//, '')}`;
}

const NO_RETRIES: PolicyInput = { rules: {} };
