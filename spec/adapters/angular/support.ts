import '@angular/compiler';
import {
  HttpClient,
  type HttpInterceptorFn,
  provideHttpClient,
  withFetch,
  withInterceptors,
  withNoXsrfProtection,
} from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import {
  createEnvironmentInjector,
  DestroyRef,
  type EnvironmentInjector,
  Injector,
  provideZonelessChangeDetection,
  type Provider,
  type EnvironmentProviders,
  runInInjectionContext,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import { timer } from 'rxjs';
import { onTestFinished } from 'vitest';
import { type MarbleContext, marbles } from 'coldfetch/testing';

/** Part of Angular that the specs use. */
export interface AngularClient {
  readonly http: HttpClient;
  readonly injector: EnvironmentInjector;
  /** Runs a function in the injection context. */
  readonly within: <T>(act: () => T) => T;
}

type AnyProvider = Provider | EnvironmentProviders;

/** Angular's `HttpClient` on the fetch backend, without zone.js and DOM. */
export function angular(interceptor: HttpInterceptorFn, ...providers: readonly AnyProvider[]): AngularClient {
  const injector = createEnvironmentInjector(
    [
      { provide: INJECTOR_SCOPE, useValue: 'root' },
      provideZonelessChangeDetection(),
      provideHttpClient(withFetch(), withNoXsrfProtection(), withInterceptors([interceptor])),
      ...providers,
    ],
    Injector.NULL as never,
  );
  const destroyed = injector.get(DestroyRef);
  onTestFinished(() => {
    if (!destroyed.destroyed) injector.destroy();
  });
  return { http: injector.get(HttpClient), injector, within: (act) => runInInjectionContext(injector.get(Injector), act) };
}

/** Plays a client in virtual time whose requests to `/orders` are answered at given moments (ms) with given statuses. */
export function play(
  interceptor: HttpInterceptorFn,
  answers: readonly (readonly [at: number, status: number, retryAfter?: string])[],
  act: (context: Omit<MarbleContext, 'http'> & AngularClient) => void,
  ...providers: readonly AnyProvider[]
): void {
  marbles((context) => {
    const client = angular(interceptor, provideHttpClientTesting(), ...providers);
    const controller = client.injector.get(HttpTestingController);
    for (const [at, status, retryAfter] of answers) {
      timer(at).subscribe(() =>
        controller
          .expectOne('/orders')
          .flush(null, { status, statusText: String(status), headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }),
      );
    }
    act({ ...context, ...client });
    context.flush();
    controller.verify();
  });
}
