import type { ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { firstValueFrom, forkJoin, from, lastValueFrom, map, mergeMap, of, Subject, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import {
  coldFetch,
  createClient,
  isBodyError,
  isNetworkError,
  isTimeoutError,
  policies,
  serverSentEvents,
  type FetchLike,
  retryAfter,
  TimeoutError,
} from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { guardBody } from '../../src/transport/guardBody.js';
import { errorOf } from '../support/errorOf.js';
import { handClock } from '../support/handClock.js';
import { loopback } from '../support/loopback.js';
import { settled } from '../support/settled.js';
import { transports, type Ways } from '../support/transports.js';

const URL = 'https://api.test/export';
const BODY = '{"a":1}';

/** Ways in which a body is read to its end. */
const WAYS: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  'json()': (response) => response.json(),
  'text()': (response) => response.text(),
  'blob()': (response) => response.blob(),
  'arrayBuffer()': (response) => response.arrayBuffer(),
  'formData()': (response: { formData(): Promise<unknown> }) => response.formData(),
  'clone()': async (response) => [await response.clone().text(), await response.text()],
  'a reader': async ({ body }) => {
    const reader = body?.getReader();
    while ((await reader?.read())?.done === false);
  },
  'a reader of its own buffer': async ({ body }) => {
    const reader = body?.getReader({ mode: 'byob' });
    while ((await reader?.read(new Uint8Array(4)))?.done === false);
  },
  'new Response(body)': ({ body }) => new Response(body).text(),
  'Readable.fromWeb(body)': ({ body }) => textOf(Readable.fromWeb(body as never)),
  'tee()': ({ body }) => Promise.all((body?.tee() ?? []).map((half) => new Response(half).text())),
  'pipeTo()': async ({ body }) => body?.pipeTo(new WritableStream()),
  'pipeThrough()': ({ body }) => new Response(body?.pipeThrough(new TransformStream()) ?? null).text(),
  'an iterator': async ({ body }) => {
    const chunks = (body as unknown as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    while ((await chunks.next()).done !== true);
  },
};
const ways = Object.entries(WAYS);

/** A server that sends a JSON body; of `/stalled` only three bytes. */
async function server(): Promise<string> {
  const { url } = await loopback((request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-www-form-urlencoded', 'content-length': BODY.length });
    if (request.url === '/stalled') response.write(BODY.slice(0, 3));
    else response.end(BODY);
  });
  return url;
}

/** A server that begins as many answers as are asked for, then sends their bytes one by one, each when those before have been read. */
async function slowServer(pieces: string, count: number): Promise<{ readonly url: string; send(between: () => void): Promise<void> }> {
  const responses: ServerResponse[] = [];
  const begun = new Subject<void>();
  const { url } = await loopback((request, response) => {
    response.writeHead(request.url === '/error' ? 500 : 200, { 'content-type': 'application/x-www-form-urlencoded' }).flushHeaders();
    if (responses.push(response) === count) begun.complete();
  });
  const send = async (between: () => void): Promise<void> => {
    await lastValueFrom(begun, { defaultValue: undefined });
    for (const piece of pieces) {
      for (const response of responses) response.write(piece);
      await settled();
      between();
    }
    for (const response of responses) response.end();
  };
  return { url, send };
}

describe.each(transports)('by %s: an answer seen through a selector', (_name, { coldFetch, asFetch }) => {
  // All ways at once: each takes longer than the timeout.
  it('never times out while its bytes move, however it is read', async () => {
    const { url, send } = await slowServer(BODY, ways.length);
    const clock = handClock();
    const read$ = ways.map(([, read]) => coldFetch(url, { timeout: 1000, selector: (response) => read(response).then(() => 'read') }));
    const read = lastValueFrom(forkJoin(read$));
    await send(() => {
      clock.move(900);
    });
    await read;
  });

  it.each(ways)('times out when it falls silent, read by %s', async (_, read) => {
    const url = await server();
    expect(isTimeoutError(await errorOf(coldFetch(`${url}/stalled`, { timeout: 50, selector: read })))).toBe(true);
  });

  it.each(ways)('fails when it breaks off, read by %s', async (_, read) => {
    const { url } = await loopback((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
    });
    expect(isNetworkError(await errorOf(coldFetch(url, { selector: read })))).toBe(true);
  });

  it('does not time out in work behind its last byte', async () => {
    const url = await server();
    const clock = handClock();
    const selector = (response: Response) => from(response.json()).pipe(tap(() => clock.move(400)));
    expect(await lastValueFrom(coldFetch(url, { method: 'POST', timeout: 100, selector }).pipe(retryAfter(policies.upload)))).toEqual({
      a: 1,
    });
  });

  it('does not time out in the pauses of a slow reader', async () => {
    const { url, send } = await slowServer(BODY, 1);
    const clock = handClock();
    const selector = async ({ body }: Response): Promise<string> => {
      const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
      let length = 0;
      for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
        length += chunk.value.byteLength;
        clock.move(150);
      }
      return `read ${length}`;
    };
    const read = lastValueFrom(coldFetch(url, { timeout: 100, selector }));
    await send(() => undefined);
    expect(await read).toBe('read 7');
  });

  it('does not time out before its reader begins', async () => {
    const url = await server();
    const clock = handClock();
    const selector = (response: Response): Promise<unknown> => (clock.move(300), response.json());
    expect(await lastValueFrom(coldFetch(url, { timeout: 100, selector }))).toEqual({ a: 1 });
  });

  it('behaves as one of the platform', async () => {
    const url = await server();
    const seen = async (response: Response): Promise<unknown> => {
      const { body } = response;
      const before = [response instanceof Response, body instanceof ReadableStream, body?.locked, response.bodyUsed];
      const copy = response.clone();
      const read = [await copy.json(), await response.json(), response.bodyUsed];
      const again = await response.text().catch((error: unknown) => (error as Error).name);
      const { status, statusText, ok, redirected, type } = response;
      return {
        before,
        read,
        again,
        copy: [copy.url, copy.type],
        head: [status, statusText, ok, response.url, redirected, type],
        headers: [...response.headers.keys()],
      };
    };
    expect(await lastValueFrom(coldFetch(url, { selector: seen }))).toEqual(await seen(await fetch(url)));
  });

  it('keeps a status that a script cannot make a Response of', async () => {
    const { url } = await loopback((_, response) => response.writeHead(999, 'Denied').end('no'));
    const response = await asFetch({ retry: false })(url);
    expect([response.status, response.ok, await response.text()]).toEqual([999, false, 'no']);
  });

  it('is a BodyError if it is not JSON, however that is found out', async () => {
    const fetch = () => Promise.resolve(new Response('<html>'));
    for (const selector of [
      (response: Response) => response.json(),
      async (response: Response) => JSON.parse(await response.text()) as unknown,
    ]) {
      const error = await errorOf(coldFetch(URL, { fetch, selector }));
      expect([isBodyError(error), (error as Error).message]).toEqual([
        true,
        `GET ${URL}: the body is not JSON; read it by text() to see it`,
      ]);
    }
  });

  it('leaves no timer once it has ended, or when it is never read', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const fetch = () => of(new Response(BODY));
    const before = timers();
    await lastValueFrom(coldFetch(URL, { fetch, selector: (response) => response.text() }));
    const unread = await asFetch({ fetch })(URL);
    expect(timers()).toBe(before);
    await unread.text();
    expect(timers()).toBe(before);
  });

  it('is the same object where it has no body', () => {
    const response = new Response(null, { status: 204 });
    expect(guardBody(response, {})).toBe(response);
  });

  it('is the very object that fetch gave, read by its own stream alone where nobody asks for one', async () => {
    const given = new Response(BODY);
    const stream = given.body;
    const read = vi.spyOn(stream ?? new ReadableStream(), 'getReader');
    const seen: Response[] = [];
    const selector = (response: Response) => (seen.push(response), response.json());
    await lastValueFrom(coldFetch(URL, { fetch: () => of(given), selector }));
    expect([seen[0] === given, read.mock.calls.length]).toEqual([true, 1]);
  });

  it('is a copy where somebody has changed its methods', async () => {
    const given = Object.assign(new Response(BODY), { clone: () => new Response('mine') });
    const texts$ = coldFetch(URL, { fetch: () => of(given), selector: (response) => (expect(response).not.toBe(given), response.text()) });
    expect(await lastValueFrom(texts$)).toBe(BODY);
  });

  it('can be looked at as a stream before it is read', async () => {
    const url = await server();
    const selector = (response: Response) => (expect(response.body?.locked).toBe(false), response.json());
    expect(await lastValueFrom(coldFetch(url, { selector }))).toEqual({ a: 1 });
  });

  it('does not abort its request once it has been read, though the result is taken before the end', async () => {
    let signal: AbortSignal | null | undefined;
    const fetch: FetchLike = (_, init) => ((signal = init.signal), of(new Response(BODY)));
    await firstValueFrom(coldFetch(URL, { fetch, selector: (response) => response.json() }));
    expect(signal?.aborted).toBe(false);
  });

  it('leaves the chunks of a stream to whoever they belong to', async () => {
    const shared = new TextEncoder().encode('shared');
    const fetch = () => of(new Response(ReadableStream.from([shared])));
    const text$ = coldFetch(URL, { fetch, selector: (response) => response.text() });
    expect([await lastValueFrom(text$), await lastValueFrom(text$)]).toEqual(['shared', 'shared']);
  });
});

describe('an answer in virtual time', () => {
  it('keeps a download alive that makes progress, however long it takes', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(200, { chunks: 'a 8ms b 8ms c 8ms d|' })]);
      const answer$ = coldFetch(URL, { fetch, timeout: 10, selector: (response) => response.text() });
      expect$(answer$).toBeMarbles('28ms (a|)', { a: 'abcd' });
    }));

  it('lets a download time out that has stalled', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([reply(200, { chunks: 'a 8ms b 20ms c|' })]);
      const answer$ = coldFetch(URL, { fetch, timeout: 10, selector: (response) => response.text() });
      expect$(answer$).toBeMarbles('19ms #', undefined, TimeoutError);
    }));

  it('counts neither work behind the last byte nor the time before the first read', () =>
    marbles(({ cold, expect$ }) => {
      const fetch = scriptedFetch([reply(200, { chunks: 'a|' }), reply(200, { chunks: 'a|' })]);
      const late = (response: Response) => from(response.text()).pipe(mergeMap(() => cold('40ms (b|)')));
      expect$(coldFetch(URL, { fetch, timeout: 10, selector: late })).toBeMarbles('41ms (b|)');
      const idle = (response: Response) => cold('40ms (b|)').pipe(mergeMap(() => response.text()));
      expect$(coldFetch(URL, { fetch, timeout: 10, selector: idle })).toBeMarbles('41ms (a|)');
    }));

  it('does not mind what stands in for a Response', () =>
    marbles(({ expect$ }) => {
      const minimal = { ok: true, status: 200, headers: new Headers(), text: () => 'plain' } as unknown as Response;
      expect$(coldFetch(URL, { fetch: () => of(minimal), selector: (response) => from([response.text()]) })).toBeMarbles('(a|)', {
        a: 'plain',
      });
    }));

  it('watches what stands in for a Response until the selector has completed', () =>
    marbles(({ cold, expect$ }) => {
      const minimal = { ok: true, status: 200, headers: new Headers() } as unknown as Response;
      expect$(coldFetch(URL, { fetch: () => of(minimal), timeout: 10, selector: () => cold('40ms a') })).toBeMarbles(
        '10ms #',
        {},
        TimeoutError,
      );
    }));

  it('fails a stream of a client that has stalled', () =>
    marbles(({ expect$ }) => {
      const http = createClient({ fetch: scriptedFetch([reply(200, { chunks: 'a 20ms b|' })]), timeout: 10 });
      const reads$ = http.get(URL, { responseType: 'stream' }).pipe(
        map((body) => body?.getReader()),
        mergeMap((reader) => (reader ? from(reader.read()).pipe(mergeMap(() => from(reader.read()))) : [])),
      );
      expect$(reads$).toBeMarbles('10ms #', undefined, TimeoutError);
    }));
});

describe.each(transports)('by %s: a body that was handed over', (_name, { asFetch, createClient }: Ways) => {
  const handedOver: Readonly<Record<string, (url: string, timeout: number) => Promise<Response>>> = {
    'by asFetch': (url, timeout) => asFetch({ timeout })(url),
    'by asFetch with a signal': (url, timeout) => asFetch({ timeout })(url, { signal: new AbortController().signal }),
    'by asFetch as that of an error': (url, timeout) => asFetch({ timeout, retry: false })(`${url}/error`),
    'by a client as a stream': async (url, timeout) =>
      new Response(await firstValueFrom(createClient({ timeout }).get(url, { responseType: 'stream' }))),
  };

  it.each(Object.entries(handedOver))('%s times out when it falls silent', async (_, open) => {
    const { url } = await loopback((request, response) => void response.writeHead(request.url === '/error' ? 500 : 200).write('a'));
    const response = await open(url, 50);
    expect(isTimeoutError(await response.text().catch((error: unknown) => error))).toBe(true);
  });

  it('never times out while its bytes move', async () => {
    const opening = Object.values(handedOver);
    const { url, send } = await slowServer('012345', opening.length);
    const clock = handClock();
    const texts = opening.map(async (open) => (await open(url, 1000)).text());
    await send(() => {
      clock.move(900);
    });
    expect(new Set(await Promise.all(texts))).toEqual(new Set(['012345']));
  });

  it('aborts its request when it has timed out', async () => {
    let signal: AbortSignal | null | undefined;
    const fetch: FetchLike = (_, init) => ((signal = init.signal), of(new Response(new ReadableStream())));
    const response = await asFetch({ timeout: 5, fetch })(URL);
    const error: unknown = await response.text().catch((reason: unknown) => reason);
    expect(signal?.reason).toBe(error);
  });

  it('is a server-sent-events stream as long as that says, however silent', async () => {
    let answer: ServerResponse | undefined;
    const { url } = await loopback((_, response) => {
      answer = response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write('data: a\n\n');
    });
    const clock = handClock();
    const http = createClient({ timeout: 100 });
    const events$ = serverSentEvents((headers) => http.get(url, { headers, responseType: 'stream' }));
    const seen: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const subscription = events$.subscribe({
        next: ({ data }) => {
          seen.push(data);
          if (seen.length < 2) {
            clock.move(300);
            answer?.write('data: b\n\n');
            return;
          }
          subscription.unsubscribe();
          resolve();
        },
        error: reject,
      });
    });
    expect(seen).toEqual(['a', 'b']);
  });
});
