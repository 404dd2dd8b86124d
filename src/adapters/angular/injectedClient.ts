import { DestroyRef, inject, PendingTasks } from '@angular/core';
import { defer, finalize, ReplaySubject, takeUntil } from 'rxjs';
import { createClient } from '../../client/createClient.js';
import type { HttpClient } from '../../client/HttpClient.js';
import type { Interceptor } from '../../request/Handler.js';
import { CLIENT_OPTIONS, LIMITER, POLICY } from './settings.js';
import { tapWaits } from './WaitObserver.js';
import { WAITING_LIST } from './WAITING_REQUESTS.js';

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
  // By `takeUntilDestroyed`, Angular 20.0 fails where it is subscribed after the end.
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
