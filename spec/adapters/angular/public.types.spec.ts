import '@angular/compiler';
import type { HttpContext } from '@angular/common/http';
import { type EnvironmentProviders, inject, type Signal, signal } from '@angular/core';
import type { Observable, OperatorFunction } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import { type HttpClient, type HttpEvent, pacer, policies, type WaitEvent } from 'coldfetch';
import {
  bodyWithWaits,
  COLDFETCH,
  type ColdfetchClient,
  provideColdfetch,
  WAITING_REQUESTS,
  type WaitingRequest,
  waitsTo,
  withClient,
  withLimiter,
  withPolicy,
} from 'coldfetch/angular';

describe('the types of coldfetch/angular', () => {
  it('are what Angular’s providers take', () => {
    const provided = (): EnvironmentProviders =>
      provideColdfetch(
        withPolicy(policies.api),
        withLimiter(() => pacer()),
        withClient({ baseUrl: '/api' }),
      );
    expectTypeOf(provided).returns.toEqualTypeOf<EnvironmentProviders>();
    // @ts-expect-error a misspelt option
    withClient({ baseURL: '/api' });
    // @ts-expect-error a policy is no feature
    const wrong = (): EnvironmentProviders => provideColdfetch(policies.api);
    expectTypeOf(wrong).returns.toEqualTypeOf<EnvironmentProviders>();
  });

  it('are inferred from the tokens', () => {
    const client = () => inject(COLDFETCH);
    expectTypeOf(client).returns.toEqualTypeOf<HttpClient>();
    expectTypeOf<ColdfetchClient>().toEqualTypeOf<HttpClient>();
    const waiting = () => inject(WAITING_REQUESTS);
    expectTypeOf(waiting).returns.toEqualTypeOf<Signal<readonly WaitingRequest[]>>();
  });

  it('let a signal, an observer or a function hear of waits', () => {
    const wait = signal<WaitEvent | undefined>(undefined);
    expectTypeOf(waitsTo(wait)).toEqualTypeOf<HttpContext>();
    expectTypeOf(waitsTo).toBeCallableWith({ next: (_: WaitEvent | undefined): void => {} });
    expectTypeOf(waitsTo).toBeCallableWith((_: WaitEvent | undefined): void => {});
  });

  it('carry the body’s type through bodyWithWaits', () => {
    const wait = signal<WaitEvent | undefined>(undefined);
    expectTypeOf(bodyWithWaits<string>).returns.toEqualTypeOf<OperatorFunction<HttpEvent<string>, string>>();
    const name = (http: HttpClient) => http.get<{ name: string }>('/users/1', { observe: 'events' }).pipe(bodyWithWaits(wait));
    expectTypeOf(name).returns.toEqualTypeOf<Observable<{ name: string }>>();
  });
});
