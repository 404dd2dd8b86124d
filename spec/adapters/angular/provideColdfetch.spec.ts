import '@angular/compiler';
import { HttpContext } from '@angular/common/http';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { createEnvironmentInjector, inject, InjectionToken } from '@angular/core';
import { timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { concurrency, isUsageError, policies } from 'coldfetch';
import { COLDFETCH, provideColdfetch, RETRY_POLICY, retryAfterInterceptor, withClient, withLimiter, withPolicy } from 'coldfetch/angular';
import { marbles, reply } from 'coldfetch/testing';
import { failureOf } from '../../support/failureOf.js';
import { angular, play } from './support.js';

const BUSY = reply(429, { headers: { 'retry-after': '3' } });
const TOO_MANY = { status: 429, statusText: 'Too Many Requests', headers: { 'retry-after': '3' } };
const FINE = reply(200, { json: 'fine' });
const TURNED_AWAY = expect.objectContaining({ name: 'HttpError', status: 429 });
const failed = (status: number) => ({ name: 'HttpErrorResponse', status });

describe('provideColdfetch', () => {
  it('gives its policy to the client', () =>
    marbles(({ server, expect$ }) => {
      server.on('GET /orders', '5ms a', { a: BUSY });
      const { injector } = angular(
        retryAfterInterceptor(),
        provideColdfetch(withPolicy(false), withClient({ baseUrl: server.url, fetch: server.fetch })),
      );
      expect$(injector.get(COLDFETCH).get('orders')).toBeMarbles('5ms #', {}, TURNED_AWAY);
    }));

  it('gives its policy to an interceptor that has none', () =>
    play(
      retryAfterInterceptor(),
      [[5, 429, '3']],
      ({ http, expect$ }) => expect$(http.get('/orders')).toBeMarbles('5ms #', {}, failed(429)),
      provideColdfetch(withPolicy(0)),
    ));

  it('leaves an interceptor the policy of its own, and a request its own', () => {
    play(
      retryAfterInterceptor({}),
      [
        [5, 429, '3'],
        [3010, 200],
      ],
      ({ http, expect$ }) => expect$(http.get('/orders')).toBeMarbles('3010ms (a|)', { a: null }),
      provideColdfetch(withPolicy(0)),
    );
    play(
      retryAfterInterceptor(),
      [
        [5, 429, '3'],
        [3010, 200],
      ],
      ({ http, expect$ }) => {
        const context = new HttpContext().set(RETRY_POLICY, policies.standard);
        expect$(http.get('/orders', { context })).toBeMarbles('3010ms (a|)', { a: null });
      },
      provideColdfetch(withPolicy(false)),
    );
  });

  it('lets a 429 to HttpClient hold the client, since they share a limiter', () =>
    marbles(({ server, expect$ }) => {
      server.on('GET /orders', '5ms a', { a: FINE });
      const { http, injector } = angular(
        retryAfterInterceptor(),
        provideHttpClientTesting(),
        provideColdfetch(withClient({ baseUrl: server.url, fetch: server.fetch })),
      );
      const url = `${server.url}/orders`;
      timer(5).subscribe(() => injector.get(HttpTestingController).expectOne(url).flush(null, TOO_MANY));
      timer(3015).subscribe(() => injector.get(HttpTestingController).expectOne(url).flush('fine'));
      expect$(http.get(url)).toBeMarbles('5ms 3s 10ms (a|)', { a: 'fine' });
      expect$(injector.get(COLDFETCH).get('orders'), '10ms ^').toBeMarbles('5ms 3s 5ms (a|)', { a: 'fine' });
    }));

  it('holds nobody where the limiter is switched off', () =>
    play(
      retryAfterInterceptor(),
      [
        [5, 429, '3'],
        [20, 200],
        [3010, 200],
      ],
      ({ http, expect$ }) => {
        expect$(http.get('/orders')).toBeMarbles('3010ms (a|)', { a: null });
        expect$(http.get('/orders'), '10ms ^').toBeMarbles('20ms (a|)', { a: null });
      },
      provideColdfetch(withLimiter(false)),
    ));

  it('takes functions, which may inject', () =>
    marbles(({ server, expect$ }) => {
      server.on('GET /v2/orders', '5ms a', { a: BUSY });
      const BASE = new InjectionToken<string>('base URL');
      const { injector } = angular(
        retryAfterInterceptor(),
        { provide: BASE, useValue: `${server.url}/v2` },
        provideColdfetch(
          withPolicy(() => false),
          withLimiter(() => false),
          withClient(() => ({ baseUrl: inject(BASE), fetch: server.fetch })),
        ),
      );
      expect$(injector.get(COLDFETCH).get('orders')).toBeMarbles('5ms #', {}, TURNED_AWAY);
    }));

  it('leaves to a child injector, a route’s, the features that it does not replace', () =>
    marbles(({ server, expect$ }) => {
      server.on('GET /orders', '5ms a 5ms a', { a: BUSY });
      const { injector } = angular(
        retryAfterInterceptor(),
        provideColdfetch(withPolicy(false), withClient({ baseUrl: server.url, fetch: server.fetch })),
      );
      const child = createEnvironmentInjector([provideColdfetch(withPolicy(1), withLimiter(false))], injector);
      expect$(child.get(COLDFETCH).get('orders')).toBeMarbles('5ms 3s 5ms #', {}, TURNED_AWAY);
    }));

  it('leaves to a child injector the limiter of its parent', () =>
    marbles(({ server, expect$ }) => {
      server.on('GET /orders', '5ms a 5ms b 5ms b', { a: BUSY, b: FINE });
      const { injector } = angular(retryAfterInterceptor(), provideColdfetch(withClient({ baseUrl: server.url, fetch: server.fetch })));
      const child = createEnvironmentInjector([provideColdfetch(withPolicy(policies.api))], injector);
      expect$(injector.get(COLDFETCH).get('orders')).toBeMarbles('5ms 3s 10ms (a|)', { a: 'fine' });
      expect$(child.get(COLDFETCH).get('orders'), '10ms ^').toBeMarbles('5ms 3s 5ms (a|)', { a: 'fine' });
    }));

  it.each([
    ['a policy', () => withPolicy({ deadline: NaN })],
    ['a limiter', () => withLimiter({} as never)],
    ['client options', () => withClient('/api' as never)],
    ['a feature given twice', () => provideColdfetch(withPolicy(1), withLimiter(concurrency(1)), withPolicy(2))],
  ])('refuses nonsense at once: %s', (_, make) => {
    expect(isUsageError(failureOf(make))).toBe(true);
  });

  it('refuses what a function gives when it is injected', () => {
    const { injector } = angular(retryAfterInterceptor(), provideColdfetch(withPolicy(() => ({ deadline: NaN }))));
    expect(isUsageError(failureOf(() => injector.get(COLDFETCH)))).toBe(true);
  });
});
