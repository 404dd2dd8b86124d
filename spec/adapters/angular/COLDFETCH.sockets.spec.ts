import '@angular/compiler';
import { ApplicationRef } from '@angular/core';
import { rxResource } from '@angular/core/rxjs-interop';
import { isObservable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { COLDFETCH, provideColdfetch, retryAfterInterceptor, withClient } from 'coldfetch/angular';
import { marbles, reply } from 'coldfetch/testing';
import { longTimers } from '../../support/longTimers.js';
import { type Report, throttled } from '../support.js';
import { angular } from './support.js';

describe('inject(COLDFETCH)', () => {
  it('gives a client without any set-up', () => {
    const { injector } = angular(retryAfterInterceptor());
    expect(isObservable(injector.get(COLDFETCH).get('https://api.example.com'))).toBe(true);
  });

  it('gives the one client of its injector', () => {
    const { injector } = angular(retryAfterInterceptor(), provideColdfetch());
    expect(injector.get(COLDFETCH)).toBe(injector.get(COLDFETCH));
  });

  it('gives rxResource the answer once the wait is over', async () => {
    const { origin, url } = await throttled(1);
    const { injector, within } = angular(retryAfterInterceptor(), provideColdfetch(withClient({ baseUrl: origin })));
    const report = within(() => rxResource({ stream: () => injector.get(COLDFETCH).get<Report>(new URL(url).pathname) }));
    await expect.poll(() => report.status()).toBe('resolved');
    expect(report.value()).toMatchObject({ name: 'report' });
  });

  it('keeps the application from being stable until a wait is over, so that server-side rendering waits', async () => {
    const { url } = await throttled(1);
    const { injector } = angular(retryAfterInterceptor(), provideColdfetch());
    const got: unknown[] = [];
    injector
      .get(COLDFETCH)
      .get<Report>(url)
      .subscribe((report) => got.push(report));
    await injector.get(ApplicationRef).whenStable();
    expect(got).toEqual([expect.objectContaining({ name: 'report' })]);
  });

  it('completes what waits when the injector is destroyed, and what is asked for later', () =>
    marbles(({ server, cold, expect$ }) => {
      server.on('GET /orders', '5ms a', { a: reply(429, { headers: { 'retry-after': '60' } }) });
      const { injector } = angular(retryAfterInterceptor(), provideColdfetch(withClient({ baseUrl: server.url, fetch: server.fetch })));
      const http = injector.get(COLDFETCH);
      cold('1s (a|)').subscribe(() => injector.destroy());
      expect$(http.get('/orders')).toBeMarbles('1s |');
      expect$(http.get('/orders'), '2s ^').toBeMarbles('2s |');
    }));

  it('leaves no timer behind a destroyed injector', async () => {
    const { url, statuses } = await throttled(60);
    const waits = longTimers();
    const { injector } = angular(retryAfterInterceptor(), provideColdfetch());
    const ended = vi.fn();
    injector.get(COLDFETCH).get(url).subscribe({ complete: ended });
    await expect.poll(() => waits.size).toBe(1);
    injector.destroy();
    expect(waits.size).toBe(0);
    expect(ended).toHaveBeenCalledOnce();
    expect(statuses()).toEqual([429]);
  });

  it('holds to its injector a client that extends it', () =>
    marbles(({ server, cold, expect$ }) => {
      server.on('GET /orders', '5s a', { a: reply(200) });
      const { injector } = angular(retryAfterInterceptor(), provideColdfetch(withClient({ fetch: server.fetch })));
      cold('1s (a|)').subscribe(() => injector.destroy());
      expect$(injector.get(COLDFETCH).extend({ baseUrl: server.url }).get('/orders')).toBeMarbles('1s |');
      expect$(server).toHaveRequests('a', { a: { abortedAt: 1000 } });
    }));
});
