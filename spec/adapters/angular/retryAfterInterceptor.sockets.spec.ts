import '@angular/compiler';
import { HttpContext, HttpEventType } from '@angular/common/http';
import { rxResource, toSignal } from '@angular/core/rxjs-interop';
import { firstValueFrom, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isUsageError, pacer, policies, type RetryEvent, type RetryPolicy, retryReport } from 'coldfetch';
import { RETRY_POLICY, retryAfterInterceptor } from 'coldfetch/angular';
import { failureOf } from '../../support/failureOf.js';
import { longTimers } from '../../support/longTimers.js';
import { type Report, throttled } from '../support.js';
import { angular, play } from './support.js';

const random = (): number => 0.5;

describe('retryAfterInterceptor on the fetch backend', () => {
  it('waits as long as the server asks, then has its answer', async () => {
    const { origin, url, statuses } = await throttled(1);
    const events: RetryEvent[] = [];
    const { http } = angular(retryAfterInterceptor({ ...policies.interactive, notify: (event) => void events.push(event) }));
    expect(await firstValueFrom(http.get<Report>(url))).toMatchObject({ name: 'report' });
    expect(statuses()).toEqual([429, 200]);
    expect(events).toEqual([expect.objectContaining({ type: 'wait', source: 'retryAfter', status: 429, origin })]);
  });

  it('ends at once when it is unsubscribed in a wait', async () => {
    const { url, statuses } = await throttled(60);
    const { http } = angular(retryAfterInterceptor());
    const waits = longTimers();
    const subscription = http.get(url).subscribe();
    await expect.poll(() => waits.size).toBe(1);
    subscription.unsubscribe();
    expect(waits.size).toBe(0);
    expect(statuses()).toEqual([429]);
  });

  it('ends at once with the very reason of a signal that aborts in a wait', async () => {
    const { url, statuses } = await throttled(60);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const notify = (): void => queueMicrotask(() => controller.abort(reason));
    const { http } = angular(retryAfterInterceptor({ signal: controller.signal, notify }));
    await expect(firstValueFrom(http.get(url))).rejects.toBe(reason);
    expect(statuses()).toEqual([429]);
  });

  it('passes progress of every attempt on and does not take it for output', async () => {
    const { url, statuses } = await throttled(1);
    const { http } = angular(retryAfterInterceptor());
    const types: HttpEventType[] = [];
    await new Promise<void>((complete, error) => {
      http.get(url, { observe: 'events', reportProgress: true }).subscribe({ next: ({ type }) => void types.push(type), complete, error });
    });
    expect(types.filter((type) => type === HttpEventType.Sent)).toHaveLength(2);
    expect(types.at(-1)).toBe(HttpEventType.Response);
    expect(statuses()).toEqual([429, 200]);
  });

  it.each([
    ['retries a connection that fails', 'http://127.0.0.1:2', 2],
    // Port 1 is one that fetch refuses by itself.
    ['gives up a request that can never be sent', 'http://127.0.0.1:1', 1],
  ])('%s, though Angular reports status 0 for both', async (_, url, attempts) => {
    const { http } = angular(retryAfterInterceptor({ ...policies.batch, rules: once(policies.batch.rules) }));
    const failure = await firstValueFrom(http.get(url)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'HttpErrorResponse', status: 0 });
    expect(retryReport(failure)).toMatchObject({ attempts });
  });
});

/** Rules that retry once, at once. */
function once(rules: RetryPolicy['rules']): RetryPolicy['rules'] {
  return Object.fromEntries(Object.entries(rules).map(([kind, rule]) => [kind, { ...rule, retries: 1, backoff: () => 0 }]));
}

const failed = (status: number) => ({ name: 'HttpErrorResponse', status });

describe('retryAfterInterceptor in virtual time, with HttpTestingController', () => {
  it('waits for Retry-After, then sends again', () =>
    play(
      retryAfterInterceptor(),
      [
        [5, 429, '3'],
        [3010, 200],
      ],
      ({ http, expect$ }) => expect$(http.get('/orders')).toBeMarbles('3010ms (a|)', { a: null }),
    ));

  it('lets a 429 hold other requests of its route at a limiter', () =>
    play(
      retryAfterInterceptor({ limiter: pacer() }),
      [
        [5, 429, '3'],
        [3010, 200],
        [3020, 200],
      ],
      ({ http, expect$ }) => {
        expect$(http.get('/orders')).toBeMarbles('3010ms (a|)', { a: null });
        expect$(http.get('/orders', { context: new HttpContext().set(RETRY_POLICY, false) })).toBeMarbles('3020ms (a|)', { a: null });
      },
    ));

  it('takes a number of retries, for all requests and for one', () => {
    play(retryAfterInterceptor(0), [[5, 503]], ({ http, expect$ }) =>
      expect$(http.get('/orders')).toBeMarbles('5ms #', undefined, failed(503)),
    );
    play(retryAfterInterceptor(), [[5, 503]], ({ http, expect$ }) =>
      expect$(http.get('/orders', { context: new HttpContext().set(RETRY_POLICY, 0) })).toBeMarbles('5ms #', undefined, failed(503)),
    );
  });

  it('knows the method, which Angular’s errors lack: a failed POST is not repeated', () =>
    play(retryAfterInterceptor({ random }), [[5, 503]], ({ http, expect$ }) =>
      expect$(http.post('/orders', {})).toBeMarbles('5ms #', {}, failed(503)),
    ));

  it('repeats a POST that carries an idempotency key', () =>
    play(
      retryAfterInterceptor({ random }),
      [
        [5, 503],
        [510, 200],
      ],
      ({ http, expect$ }) =>
        expect$(http.post('/orders', {}, { headers: { 'Idempotency-Key': '"8e03978e"' } })).toBeMarbles('510ms (a|)', { a: null }),
    ));

  it('repeats a POST that was turned away by a 429', () =>
    play(
      retryAfterInterceptor(),
      [
        [5, 429, '3'],
        [3010, 200],
      ],
      ({ http, expect$ }) => expect$(http.post('/orders', {})).toBeMarbles('3010ms (a|)', { a: null }),
    ));

  it('lets a request bring its own policy', () =>
    play(retryAfterInterceptor({ random }), [[5, 429, '30']], ({ http, expect$ }) => {
      const context = new HttpContext().set(RETRY_POLICY, { ...policies.interactive, random });
      expect$(http.get('/orders', { context })).toBeMarbles('5ms #', {}, failed(429));
    }));

  it('lets a request do without retries', () =>
    play(retryAfterInterceptor(), [[5, 429, '3']], ({ http, expect$ }) => {
      const context = new HttpContext().set(RETRY_POLICY, false);
      expect$(http.get('/orders', { context })).toBeMarbles('5ms #', {}, failed(429));
    }));

  it('retries only requests that ask for it where it is off', () =>
    play(
      retryAfterInterceptor(false),
      [
        [5, 429, '3'],
        [3010, 200],
      ],
      ({ http, expect$ }) => {
        const context = new HttpContext().set(RETRY_POLICY, policies.standard);
        expect$(http.get('/orders', { context })).toBeMarbles('3010ms (a|)', { a: null });
      },
    ));

  it('ends with the last error, and a report of why', () => {
    let failure: unknown;
    play(
      retryAfterInterceptor({ ...policies.interactive, random }),
      [
        [5, 429, '3'],
        [3200, 429, '14'],
      ],
      ({ http, expect$ }) => {
        const order$ = http.get('/orders').pipe(tap({ error: (error: unknown) => (failure = error) }));
        expect$(order$).toBeMarbles('3200ms #', {}, failed(429));
      },
    );
    expect(retryReport(failure)).toMatchObject({ attempts: 2, reason: 'deadline' });
  });

  it('refuses nonsense when it is made', () => {
    expect(isUsageError(failureOf(() => retryAfterInterceptor({ deadline: NaN })))).toBe(true);
  });
});

describe('an abort in the wait, seen by signals', () => {
  it('makes toSignal throw its reason', () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    play(retryAfterInterceptor({ signal: controller.signal }), [[5, 429, '30']], ({ http, within, flush }) => {
      timer(1000).subscribe(() => controller.abort(reason));
      const order = within(() => toSignal(http.get('/orders')));
      flush();
      expect(failureOf(order)).toBe(reason);
    });
  });

  it('gives rxResource its reason as the error', async () => {
    const { url } = await throttled(60);
    const controller = new AbortController();
    const reason = new Error('the user left');
    const notify = (): void => queueMicrotask(() => controller.abort(reason));
    const { http, within } = angular(retryAfterInterceptor({ signal: controller.signal, notify }));
    const report = within(() => rxResource({ stream: () => http.get<Report>(url) }));
    await expect.poll(() => report.status()).toBe('error');
    expect(report.error()).toBe(reason);
  });

  it('gives rxResource the answer once the wait is over', async () => {
    const { url } = await throttled(1);
    const { http, within } = angular(retryAfterInterceptor());
    const report = within(() => rxResource({ stream: () => http.get<Report>(url) }));
    await expect.poll(() => report.status()).toBe('resolved');
    expect(report.value()).toMatchObject({ name: 'report' });
  });

  it('ends a wait when rxResource gets a value of its own', async () => {
    const { url, statuses } = await throttled(60);
    const waits = longTimers();
    const { http, within } = angular(retryAfterInterceptor());
    const report = within(() => rxResource({ stream: () => http.get<Report>(url) }));
    await expect.poll(() => waits.size).toBe(1);
    report.set({ name: 'local' });
    expect(waits.size).toBe(0);
    expect(statuses()).toEqual([429]);
  });
});
