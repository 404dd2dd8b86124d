import { DestroyRef, inject, InjectionToken, PendingTasks } from '@angular/core';
import { defer, finalize, ReplaySubject, takeUntil } from 'rxjs';
import type { ClientOptions } from '../../client/ClientOptions.js';
import { createClient } from '../../client/createClient.js';
import type { HttpClient } from '../../client/HttpClient.js';
import type { Limiter } from '../../pace/Limiter.js';
import type { Interceptor } from '../../request/Handler.js';
import type { RetryOptions } from '../../retry/RetryPolicy.js';
import { WAITING_LIST } from './WAITING_REQUESTS.js';
import { tapWaits } from './WaitObserver.js';

/** Client of the injector in whose context it is called. */
export function injectedClient(): HttpClient {
  const options = inject(CLIENT_OPTIONS, { optional: true }) ?? {};
  const { retry = inject(POLICY, { optional: true }) ?? undefined, pace = inject(LIMITER, { optional: true }) ?? undefined } = options;
  const interceptors = [whileInjectorLives(), listWaits(), ...(options.interceptors ?? [])];
  return createClient({ ...options, retry, pace, interceptors });
}

/** Interceptor that completes requests when the injector is destroyed, and holds its stability until then. */
function whileInjectorLives(): Interceptor {
  const tasks = inject(PendingTasks);
  // The operator `takeUntilDestroyed` of Angular 20.0 fails where it is subscribed after the end, so it is not used.
  const destroyed$ = new ReplaySubject<void>(1);
  inject(DestroyRef).onDestroy(() => destroyed$.next());
  return (request, next) =>
    defer(() => {
      const done = tasks.add();
      return next(request).pipe(takeUntil(destroyed$), finalize(done));
    });
}

/** Interceptor that lists the requests that wait. */
function listWaits(): Interceptor {
  const list = inject(WAITING_LIST);
  return (request, next) => defer(() => next(request).pipe(tapWaits(list.observe(request.method, request.url))));
}

/** Policy of an injector, by `withPolicy`. */
export const POLICY = new InjectionToken<RetryOptions | number | false>('coldfetch policy');

/** Limiter of an injector, by `withLimiter` or the default of `provideColdfetch`; `false`: none. */
export const LIMITER = new InjectionToken<Limiter | false>('coldfetch limiter');

/** Options of an injector's client, by `withClient`. */
export const CLIENT_OPTIONS = new InjectionToken<ClientOptions>('coldfetch client options');
