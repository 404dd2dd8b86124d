import '@angular/compiler';
import { HttpContext, httpResource } from '@angular/common/http';
import { DOCUMENT, signal } from '@angular/core';
import { rxResource } from '@angular/core/rxjs-interop';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { config, map, Subject, tap, throwError, timer } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { policies, type WaitEvent } from 'coldfetch';
import {
  bodyWithWaits,
  COLDFETCH,
  provideColdfetch,
  RETRY_POLICY,
  retryAfterInterceptor,
  WAITING_REQUESTS,
  waitsTo,
  withClient,
} from 'coldfetch/angular';
import { marbles, reply } from 'coldfetch/testing';
import { type Report, throttled } from '../support.js';
import { angular, play } from './support.js';

type Wait = WaitEvent | undefined;

const ONE_429 = [
  [5, 429, '3'],
  [3010, 200],
] as const;
/** A page that server-side rendering has not prepared. */
const NO_TRANSFERRED_STATE = { provide: DOCUMENT, useValue: { getElementById: () => null } };
const TOO_MANY = { status: 429, statusText: 'Too Many Requests', headers: { 'retry-after': '3' } };
const asked = (wait: Wait): string => (wait ? `${wait.kind} ${wait.source} ${wait.delay}` : 'over');

describe('waitsTo', () => {
  it('tells an observer of the waits of its own request, and of their end', () =>
    play(retryAfterInterceptor(), ONE_429, ({ http, expect$ }) => {
      const waits = new Subject<Wait>();
      expect$(waits.pipe(map(asked))).toBeMarbles('5ms a 2999ms b', { a: 'throttled retryAfter 3000', b: 'over' });
      expect$(http.get('/orders', { context: waitsTo(waits) })).toBeMarbles('3010ms (a|)', { a: null });
    }));

  it('sets a signal', () =>
    play(retryAfterInterceptor(), ONE_429, ({ http, cold, expect$ }) => {
      const wait = signal<Wait>(undefined);
      expect$(http.get('/orders', { context: waitsTo(wait) })).toBeMarbles('3010ms (a|)', { a: null });
      expect$(cold('1s a 3s a', { a: 0 }).pipe(map(() => asked(wait())))).toBeMarbles('1s a 3s b', {
        a: 'throttled retryAfter 3000',
        b: 'over',
      });
    }));

  it('tells a function the end of a wait before the error that ends the request', () => {
    const told: string[] = [];
    play(
      retryAfterInterceptor(1),
      [
        [5, 429, '3'],
        [3010, 429, '3'],
      ],
      ({ http, expect$ }) => {
        const orders$ = http.get('/orders', { context: waitsTo((wait) => void told.push(asked(wait))) });
        expect$(orders$.pipe(tap({ error: () => told.push('error') }))).toBeMarbles('3010ms #', {}, { status: 429 });
      },
    );
    expect(told).toEqual(['throttled retryAfter 3000', 'over', 'error']);
  });

  it('tells the end of a wait when it is unsubscribed', () =>
    play(retryAfterInterceptor(), [[5, 429, '3']], ({ http, expect$ }) => {
      const waits = new Subject<Wait>();
      expect$(waits.pipe(map(asked))).toBeMarbles('5ms a 994ms b', { a: 'throttled retryAfter 3000', b: 'over' });
      expect$(http.get('/orders', { context: waitsTo(waits) }), '^ 999ms !').toBeMarbles('');
    }));

  it('keeps what else a context carries, a policy with a notify of its own among it', () => {
    const notified: string[] = [];
    const waits: string[] = [];
    const policy = { ...policies.standard, notify: ({ type }: { type: string }) => void notified.push(type) };
    play(retryAfterInterceptor(), ONE_429, ({ http, expect$ }) => {
      const context = waitsTo((wait) => void waits.push(asked(wait)), new HttpContext().set(RETRY_POLICY, policy));
      expect$(http.get('/orders', { context })).toBeMarbles('3010ms (a|)', { a: null });
    });
    expect(notified).toEqual(['wait']);
    expect(waits).toEqual(['throttled retryAfter 3000', 'over']);
  });

  it('goes on where an observer throws, which is an unhandled error', () => {
    const unhandled: unknown[] = [];
    config.onUnhandledError = (error) => unhandled.push(error);
    onTestFinished(() => {
      config.onUnhandledError = null;
    });
    const bug = new Error('a bug in the view');
    play(retryAfterInterceptor(), ONE_429, ({ http, expect$ }) => {
      const context = waitsTo(() => {
        throw bug;
      });
      expect$(http.get('/orders', { context })).toBeMarbles('3010ms (a|)', { a: null });
    });
    expect(unhandled).toEqual([bug, bug]);
  });

  it('shows the wait of an httpResource, which waits as the policy says', async () => {
    const { url, statuses } = await throttled(1);
    const { within } = angular(retryAfterInterceptor(policies.interactive), NO_TRANSFERRED_STATE);
    const told: Wait[] = [];
    const report = within(() => httpResource<Report>(() => ({ url, context: waitsTo((wait) => void told.push(wait)) })));
    await expect.poll(() => report.status()).toBe('resolved');
    expect(report.value()).toMatchObject({ name: 'report' });
    expect(statuses()).toEqual([429, 200]);
    expect(told).toEqual([expect.objectContaining({ source: 'retryAfter', status: 429 }), undefined]);
  });

  it('leaves an httpResource its error where the policy does not wait', async () => {
    const { url, statuses } = await throttled(60);
    const { within } = angular(retryAfterInterceptor(policies.interactive), NO_TRANSFERRED_STATE);
    const report = within(() => httpResource<Report>(() => url));
    await expect.poll(() => report.status()).toBe('error');
    expect(report.error()).toMatchObject({ status: 429 });
    expect(statuses()).toEqual([429]);
  });
});

describe('bodyWithWaits', () => {
  it('gives the body, and a signal the waits of the request', () =>
    marbles(({ server, http, cold, expect$ }) => {
      server.on('GET /orders', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3' } }), b: reply(200, { json: ['one'] }) });
      const wait = signal<Wait>(undefined);
      const orders$ = http.get<string[]>('/orders', { observe: 'events' }).pipe(bodyWithWaits(wait));
      expect$(orders$).toBeMarbles('5ms 3s 5ms (a|)', { a: ['one'] });
      expect$(cold('1s a 3s a', { a: 0 }).pipe(map(() => asked(wait())))).toBeMarbles('1s a 3s b', {
        a: 'throttled retryAfter 3000',
        b: 'over',
      });
    }));

  it('passes errors', () =>
    marbles(({ expect$ }) => {
      expect$(throwError(() => 'broken').pipe(bodyWithWaits(() => {}))).toBeMarbles('#', {}, 'broken');
    }));

  it('suits rxResource', async () => {
    const { url } = await throttled(1);
    const { injector, within } = angular(retryAfterInterceptor(), provideColdfetch());
    const told: Wait[] = [];
    const body = bodyWithWaits<Report>((wait) => void told.push(wait));
    const report = within(() => rxResource({ stream: () => injector.get(COLDFETCH).get<Report>(url, { observe: 'events' }).pipe(body) }));
    await expect.poll(() => report.status()).toBe('resolved');
    expect(told).toEqual([expect.objectContaining({ source: 'retryAfter' }), undefined]);
  });
});

describe('WAITING_REQUESTS', () => {
  it('lists requests of HttpClient and of the client while they wait, without their queries', () =>
    marbles(({ server, cold, expect$ }) => {
      server.on('GET /users', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '2' } }), b: reply(200) });
      const { http, injector } = angular(
        retryAfterInterceptor(),
        provideHttpClientTesting(),
        provideColdfetch(withClient({ baseUrl: server.url, fetch: server.fetch })),
      );
      timer(5).subscribe(() => injector.get(HttpTestingController).expectOne('/orders?token=secret').flush(null, TOO_MANY));
      http.get('/orders?token=secret').subscribe();
      timer(3010).subscribe(() => injector.get(HttpTestingController).expectOne('/orders?token=secret').flush(null));
      injector.get(COLDFETCH).get('/users?token=secret').subscribe();
      const waiting = injector.get(WAITING_REQUESTS);
      const listed = (): string[] => waiting().map(({ method, url, wait }) => `${method} ${url} ${wait.delay}`);
      expect$(cold('-a 1s a 1100ms a 1s a', { a: 0 }).pipe(map(listed))).toBeMarbles('-a 1s b 1100ms c 1s a', {
        a: [],
        b: ['GET /orders 3000', 'GET https://api.test/users 2000'],
        c: ['GET /orders 3000'],
      });
    }));
});
