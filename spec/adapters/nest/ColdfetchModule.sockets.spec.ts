import type { ServerResponse } from 'node:http';
import { filter, firstValueFrom, forkJoin, type Observable, toArray } from 'rxjs';
import { coldFetch, type HttpClient, type Limiter, pacer, policies, retryAfter } from 'coldfetch';
import {
  type ClientEvent,
  ColdfetchModule,
  getClientToken,
  getEventsToken,
  getLimiterToken,
  InjectClient,
  InjectEvents,
  InjectLimiter,
} from 'coldfetch/nest';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../support/errorOf.js';
import { throttled } from '../support.js';
import { loopback } from '../../support/loopback.js';
import { application, moduleOf } from './support.js';

const client = (name?: string): string => getClientToken(name);

/** A service that has everything injected, by the decorators as TypeScript compiles them. */
class Service {
  constructor(
    readonly http: HttpClient,
    readonly events$: Observable<ClientEvent>,
    readonly limiter: Limiter,
  ) {}
}
for (const [index, decorate] of [InjectClient(), InjectEvents(), InjectLimiter()].entries()) decorate(Service, undefined, index);

describe('ColdfetchModule', () => {
  it('injects a client with the options of its registration', async () => {
    const { url } = await loopback((_request, response) => response.end('{"id":1}'));
    const app = await application([ColdfetchModule.register({ baseUrl: url })], Service);
    expect(await firstValueFrom(app.get(Service).http.get('/users/1'))).toEqual({ id: 1 });
  });

  it('takes options that a factory makes of other providers', async () => {
    const { url } = await loopback((_request, response) => response.end('{"id":1}'));
    class Config {
      readonly url = url;
    }
    const configured = moduleOf({ providers: [Config], exports: [Config] });
    const registered = ColdfetchModule.registerAsync({
      imports: [configured],
      inject: [Config],
      useFactory: (config: Config) => ({ baseUrl: config.url }),
    });
    const app = await application([registered], Service);
    expect(await firstValueFrom(app.get(Service).http.get('/users/1'))).toEqual({ id: 1 });
  });

  it('keeps clients of several names apart', async () => {
    const servers = await Promise.all(['a', 'b'].map((name) => loopback((_request, response) => response.end(JSON.stringify({ name })))));
    const [a, b] = servers.map(({ url }) => url);
    const app = await application([
      ColdfetchModule.register({ name: 'a', baseUrl: a }),
      ColdfetchModule.registerAsync({ name: 'b', useFactory: () => ({ baseUrl: b }) }),
    ]);
    const answers = ['a', 'b'].map((name) => firstValueFrom(app.get<HttpClient>(client(name)).get('/')));
    expect(await Promise.all(answers)).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  it.each([
    [true, 'is seen by all modules where it is global'],
    [false, 'is seen by the modules that import it where it is not'],
  ])('%s: %s', async (isGlobal) => {
    const away = moduleOf({ providers: [Service] });
    const started = application([ColdfetchModule.register({ isGlobal }), away]);
    if (isGlobal) expect((await started).get(Service, { strict: false }).http).toBeDefined();
    else await expect(started).rejects.toThrow("can't resolve dependencies of the Service");
  });

  it('tells what happens to its requests, waits and failures too', async () => {
    const { url } = await throttled(1);
    const app = await application([ColdfetchModule.register({ retry: policies.api })]);
    const told: string[] = [];
    app.get<Observable<ClientEvent>>(getEventsToken()).subscribe(({ request, event }) => {
      if (['wait', 'response', 'failed'].includes(event.type)) told.push(`${event.type} ${request.method}`);
    });
    await firstValueFrom(app.get<HttpClient>(client()).get(url));
    await errorOf(app.get<HttpClient>(client()).get('http://127.0.0.1:2', { retry: false }));
    expect(told).toEqual(['wait GET', 'response GET', 'failed GET']);
  });

  it('shows no credentials in what it tells of a request', async () => {
    const { url } = await loopback((_request, response) => response.end('{}'));
    const app = await application([ColdfetchModule.register({ headers: { authorization: 'Bearer secret' } })]);
    const telling = firstValueFrom(app.get<Observable<ClientEvent>>(getEventsToken()));
    await firstValueFrom(app.get<HttpClient>(client()).get(`${url}?token=secret`));
    expect(JSON.stringify((await telling).request)).not.toContain('secret');
  });

  it('shares the limiter that its client paces by', async () => {
    const limiter = pacer();
    const given = await application([ColdfetchModule.register({ pace: limiter })]);
    expect(given.get(getLimiterToken())).toBe(limiter);
    const { url, statuses } = await throttled(1);
    const app = await application([ColdfetchModule.register({ retry: policies.api })]);
    await firstValueFrom(app.get<HttpClient>(client()).get(url));
    // The window is used up, which the limiter has learned from the client.
    const shared = app.get<Limiter>(getLimiterToken());
    await firstValueFrom(coldFetch(url).pipe(retryAfter({ retries: 0, limiter: shared, request: { url } })));
    expect(statuses()).toEqual([429, 200, 200]);
  });

  it('has no limiter where its client does not pace, which an operator takes as such', async () => {
    const { url, statuses } = await throttled(1);
    const app = await application([ColdfetchModule.register({ pace: false })]);
    const limiter = app.get<Limiter | undefined>(getLimiterToken());
    expect(limiter).toBeUndefined();
    await firstValueFrom(coldFetch(url).pipe(retryAfter({ limiter, request: { url } })));
    expect(statuses()).toEqual([429, 200]);
  });

  it('sends six requests before the first answer, as any client does', async () => {
    let most = 0;
    const waiting: ServerResponse[] = [];
    const { url } = await loopback((_request, response) => {
      most = Math.max(most, waiting.push(response));
      if (waiting.length === 6) for (const each of waiting.splice(0)) each.end('{}');
    });
    const app = await application([ColdfetchModule.register({ baseUrl: url })]);
    const http = app.get<HttpClient>(client());
    await firstValueFrom(forkJoin([1, 2, 3, 4, 5, 6].map((n) => http.get(`/${n}`))));
    expect(most).toBe(6);
  });
});

describe('an application that shuts down', () => {
  it('ends a wait with an AbortError, and completes the events', async () => {
    const { url, statuses } = await throttled(60);
    const app = await application([ColdfetchModule.register({ retry: policies.patient })]);
    const events$ = app.get<Observable<ClientEvent>>(getEventsToken());
    const all = firstValueFrom(events$.pipe(toArray()));
    const waiting = firstValueFrom(events$.pipe(filter(({ event }) => event.type === 'wait')));
    const failure = errorOf(app.get<HttpClient>(client()).get(url));
    await waiting;
    expect(statuses()).toEqual([429]);
    await app.close();
    expect(await failure).toMatchObject({ name: 'AbortError', message: 'The application is shutting down' });
    expect((await all).at(-1)?.event.type).toBe('wait');
  });

  it('sends what modules still ask for when they are destroyed, and nothing later', async () => {
    const { url, requests } = await loopback((_request, response) => response.end('{}'));
    class Farewell {
      constructor(readonly http: HttpClient) {}
      onModuleDestroy(): Promise<unknown> {
        return firstValueFrom(this.http.post(url, 'goodbye'));
      }
    }
    InjectClient()(Farewell, undefined, 0);
    const app = await application([ColdfetchModule.register({})], Farewell);
    const http = app.get<HttpClient>(client());
    await app.close();
    expect(await errorOf(http.get(url))).toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(1);
  });
});
