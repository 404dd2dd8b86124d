import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { firstValueFrom, forkJoin, lastValueFrom, Subject, takeUntil, timer, toArray } from 'rxjs';
import { Agent, interceptors, MockAgent, Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { asFetch, createClient, HttpRequest, isNetworkError, isTimeoutError, isUsageError } from 'coldfetch';
import { undici } from 'coldfetch/undici';
import { errorOf } from '../../support/errorOf.js';
import { handClock } from '../../support/handClock.js';
import { loopback } from '../../support/loopback.js';
import { clientOf, forSpec } from './support.js';

describe('undici', () => {
  it('sends by the global dispatcher of undici unless it is given one', async () => {
    const { url } = await loopback((_, response) => response.end('"hello"'));
    expect(await firstValueFrom(createClient({ transport: undici() }).get(url))).toBe('hello');
  });

  it('sends by the dispatcher of a request', async () => {
    const dispatcher = forSpec(new MockAgent());
    dispatcher.disableNetConnect();
    dispatcher.get('https://api.test').intercept({ path: '/users?id=1' }).reply(200, { name: 'Ada' });
    const client = createClient({ transport: undici(), fetchOptions: { dispatcher } as object });
    expect(await firstValueFrom(client.get('https://api.test/users', { params: { id: 1 } }))).toEqual({ name: 'Ada' });
  });

  it('is behind asFetch, which gives a Response of the platform', async () => {
    const { url } = await loopback((_, response) => response.setHeader('set-cookie', ['a=1', 'b=2']).end('{"a":1}'));
    const response = await asFetch({ transport: undici() })(`${url}/path?q=1#part`);
    expect(response).toBeInstanceOf(Response);
    const { status, statusText, ok, redirected, type } = response;
    expect([status, statusText, ok, response.url, redirected, type]).toEqual([200, 'OK', true, `${url}/path?q=1`, false, 'basic']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.clone().text()).toBe('{"a":1}');
    const reader = response.body?.getReader({ mode: 'byob' });
    expect((await reader?.read(new Uint8Array(3)))?.value).toEqual(new Uint8Array(Buffer.from('{"a')));
  });

  it('works through interceptors of undici', async () => {
    let asked = 0;
    const { url } = await loopback((_, response) => response.writeHead(++asked < 2 ? 503 : 200, { 'retry-after': '0' }).end('"second"'));
    const dispatcher = forSpec(new Agent()).compose(interceptors.retry({ minTimeout: 1 }));
    expect(await firstValueFrom(clientOf(dispatcher).get(url))).toBe('second');
  });

  it('calls whoever hears of an answer in the asynchronous context of its request', async () => {
    const { url } = await loopback((_, response) => response.end('"a"'));
    const context = new AsyncLocalStorage<number>();
    const client = clientOf(forSpec(new Agent({ connections: 1 })));
    const contexts = [1, 2, 3].map(
      (n) =>
        new Promise((resolve) => {
          context.run(n, () => {
            client.get(url).subscribe(() => resolve(context.getStore()));
          });
        }),
    );
    expect(await Promise.all(contexts)).toEqual([1, 2, 3]);
  });

  it.each<[string, () => unknown]>([
    ['undici: dispatcher is 5', () => undici({ dispatcher: 5 as never })],
    ['undici: dispatcher is [object Object]', () => undici({ dispatcher: {} as never })],
    ['undici: the argument is a dispatcher; give { dispatcher } instead', () => undici(new Agent() as never)],
    ['undici: ', () => undici({ agent: new Agent() } as never)],
  ])('refuses what is no dispatcher: %s', (message, make) => {
    expect(make).toThrow(expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }));
  });

  it.each(['integrity', 'referrer'])('refuses an option of fetch that it cannot obey: %s', async (name) => {
    const client = clientOf(forSpec(new Agent()), { fetchOptions: { [name]: 'https://a.test/' } });
    const error = await errorOf(client.get('https://api.test/users'));
    expect(isUsageError(error)).toBe(true);
    expect(String(error)).toContain(`fetchOptions: { ${name}: `);
  });

  it.each(['ftp://api.test/a', 'data:text/plain,a'])('fails for good where the scheme is none of HTTP: %s', async (url) => {
    const error = await errorOf(createClient({ transport: undici() }).get(url));
    expect(isNetworkError(error) && error.unsent).toBe(true);
  });
});

describe('a limit of connections', () => {
  it('is kept, and who waits for a connection does not time out while others move', async () => {
    const asked = new Subject<ServerResponse>();
    const { url, sockets } = await loopback((_, response) => {
      asked.next(response);
    });
    const clock = handClock();
    asked.subscribe((response) => {
      clock.move(300);
      response.end('"a"');
    });
    const client = clientOf(forSpec(new Agent({ connections: 1 })));
    // Together they take longer than the timeout, each of them less.
    const answers = [...Array(8).keys()].map(() => client.get(url, { timeout: 1000 }));
    expect(await firstValueFrom(forkJoin(answers))).toHaveLength(8);
    expect(sockets.size).toBe(1);
  });

  it('does not keep a silent server from timing all of them out', async () => {
    const { url } = await loopback(() => undefined);
    const client = clientOf(forSpec(new Pool(url, { connections: 1 })));
    const errors = await Promise.all([1, 2, 3].map(() => errorOf(client.get(url, { timeout: 100 }))));
    expect(errors.map((error) => isTimeoutError(error))).toEqual([true, true, true]);
  });
});

describe('a connection', () => {
  const oneTo = (url: string) => clientOf(forSpec(new Pool(url, { connections: 1 })), { baseUrl: url });

  it('is used again, behind a body that is empty, a redirect and an error as well', async () => {
    const { url, sockets } = await loopback((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/here' }).end('moved');
      else if (request.url === '/none') response.writeHead(204).end();
      else response.writeHead(request.url === '/missing' ? 404 : 200).end('"here"');
    });
    const seen = new Set<unknown>();
    const client = oneTo(url);
    for (const path of ['here', 'moved', 'none', 'missing', 'here']) {
      await firstValueFrom(client.get(path)).catch(() => undefined);
      sockets.forEach((socket) => seen.add(socket));
    }
    expect(seen.size).toBe(1);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['before the head', () => undefined],
    ['in the body', (response) => response.writeHead(200, { 'content-length': 100 }).write('[1')],
    ['in an encoded body', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).write(Buffer.from([0x1f, 0x8b, 8]))],
    ['in the body of an error', (response) => response.writeHead(500).write('sorry')],
  ])('is free when its request is given up %s', async (_, answer) => {
    const { url, sockets } = await loopback((request, response) => (request.url === '/' ? answer(response) : response.end('"next"')));
    const client = oneTo(url);
    await lastValueFrom(client.get('').pipe(takeUntil(timer(100))), { defaultValue: undefined }).catch(() => undefined);
    expect(await firstValueFrom(client.get('next'))).toBe('next');
    await expect.poll(() => sockets.size).toBe(1);
  });

  it('is not asked for by a request that was given up while it waited', async () => {
    const { url, requests } = await loopback((_, response) => setTimeout(() => response.end('"a"'), 100));
    const client = oneTo(url);
    const first = firstValueFrom(client.get('first'));
    client.get('second').subscribe().unsubscribe();
    expect(await first).toBe('a');
    expect(await firstValueFrom(client.get('third'))).toBe('a');
    expect(requests).toEqual(['GET /first', 'GET /third']);
  });

  it('is free when nobody holds its unread answer any more', async () => {
    const { url } = await loopback((request, response) => {
      if (request.url === '/next') response.end('"next"');
      else response.writeHead(500).write('x'.repeat(1_000_000));
    });
    const client = oneTo(url);
    await errorOf(client.request(new HttpRequest('GET', url)));
    let answer: unknown;
    client.get('next').subscribe((next) => (answer = next));
    const answerSoFar = (): unknown => {
      globalThis.gc?.();
      return answer;
    };
    await expect.poll(answerSoFar).toBe('next');
  });

  it('is paused while nobody reads', async () => {
    let sent = 0;
    const { url } = await loopback((_, response) => {
      const more = (): void => {
        while (sent < 400) {
          sent += 1;
          if (response.write(Buffer.alloc(65_536))) continue;
          response.once('drain', more);
          return;
        }
        response.end();
      };
      more();
    });
    const stream = await firstValueFrom(oneTo(url).get('', { responseType: 'stream' }));
    const reader = stream?.getReader();
    let loaded = (await reader?.read())?.value?.byteLength ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent).toBeLessThan(200);
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) loaded += chunk.value.byteLength;
    expect([sent, loaded]).toEqual([400, 400 * 65_536]);
  });

  it('tells of the bytes of a large answer as they come', async () => {
    const { url } = await loopback((_, response) => response.writeHead(200, { 'content-length': 3_000_000 }).end('x'.repeat(3_000_000)));
    const events = await lastValueFrom(oneTo(url).get('', { observe: 'events', responseType: 'text' }).pipe(toArray()));
    const loaded = events.flatMap((event) => (event.type === 'download' ? [event.loaded] : []));
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.at(-1)).toBe(3_000_000);
  });
});
