import '@angular/compiler';
import {
  HttpClient,
  type HttpInterceptorFn,
  provideHttpClient,
  withFetch,
  withInterceptors,
  withNoXsrfProtection,
} from '@angular/common/http';
import {
  createEnvironmentInjector,
  type EnvironmentInjector,
  Injector,
  provideZonelessChangeDetection,
  type Provider,
  runInInjectionContext,
  ɵINJECTOR_SCOPE as INJECTOR_SCOPE,
} from '@angular/core';
import { onTestFinished } from 'vitest';

/** What of Angular the specs use. */
export interface AngularClient {
  readonly http: HttpClient;
  readonly injector: EnvironmentInjector;
  /** Runs what needs an injection context. */
  readonly within: <T>(act: () => T) => T;
}

/** Angular's `HttpClient` on the fetch backend, without zone.js and DOM. */
export function angular(interceptor: HttpInterceptorFn, ...providers: Provider[]): AngularClient {
  const injector = createEnvironmentInjector(
    [
      { provide: INJECTOR_SCOPE, useValue: 'root' },
      provideZonelessChangeDetection(),
      provideHttpClient(withFetch(), withNoXsrfProtection(), withInterceptors([interceptor])),
      ...providers,
    ],
    Injector.NULL as never,
  );
  onTestFinished(() => injector.destroy());
  return { http: injector.get(HttpClient), injector, within: (act) => runInInjectionContext(injector.get(Injector), act) };
}
