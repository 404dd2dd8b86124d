import { HttpModule, HttpService } from '@nestjs/axios';
import { Controller, Get } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { filter, firstValueFrom, forkJoin, repeat, toArray } from 'rxjs';
import { createClient, pacer, policies, retryAfter } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import { throttled } from '../support.js';
import { application, moduleOf } from './support.js';

describe("NestJS's HttpService", () => {
  it('waits as long as the server asks, then has its answer', async () => {
    const { url, statuses } = await throttled(1);
    const app = await application([{ module: HttpModule }]);
    const report$ = app.get(HttpService, { strict: false }).get<{ name: string }>(url);
    const { data } = await firstValueFrom(report$.pipe(retryAfter(policies.api)));
    expect([data.name, statuses()]).toEqual(['report', [429, 200]]);
  });

  it('sends what one limiter lets, so that a 429 holds the others', async () => {
    const { url, statuses } = await throttled(1);
    const app = await application([{ module: HttpModule }]);
    const http = app.get(HttpService, { strict: false });
    const limiter = pacer();
    const get = () => http.get(url).pipe(retryAfter({ ...policies.patient, limiter, request: { url } }));
    await firstValueFrom(forkJoin([get(), get()]));
    expect(statuses()).toEqual([429, 200, 200]);
  });
});

/** URL of a report on a server of NestJS with two throttlers: one without a name, and one named `short` that lets one request pass every `ttl` ms. */
async function throttledReport(ttl: number): Promise<string> {
  class Reports {
    read(): object {
      return { name: 'report' };
    }
  }
  Get('report')(Reports.prototype, 'read', { value: Reports.prototype.read });
  Controller()(Reports);
  const limits = [
    { ttl: 60_000, limit: 100 },
    { name: 'short', ttl, limit: 1 },
  ];
  const module = moduleOf({
    imports: [ThrottlerModule.forRoot(limits)],
    controllers: [Reports],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  });
  const app = await application([module]);
  await app.listen(0, '127.0.0.1');
  return `${await app.getUrl()}/report`;
}

describe('a server with @nestjs/throttler', () => {
  it('is waited for as its named throttler asks', async () => {
    const url = await throttledReport(30_000);
    // A pacer would know from the first response that nothing is left, so there is none.
    const http = createClient({ pace: false, retry: policies.api });
    await firstValueFrom(http.get(url));
    const wait = await firstValueFrom(http.get(url, { observe: 'events' }).pipe(filter(({ type }) => type === 'wait')));
    expect(wait).toMatchObject({ source: 'retryAfter', delay: 30_000, kind: 'retryable' });
  });

  it('tells the pacer of a client how much is left, under the name of the throttler', async () => {
    const url = await throttledReport(1000);
    const http = createClient();
    const events = await firstValueFrom(http.get(url, { observe: 'events' }).pipe(repeat(2), toArray()));
    expect(events.flatMap((event) => (event.type === 'headers' ? [event.status] : []))).toEqual([200, 200]);
  });
});
