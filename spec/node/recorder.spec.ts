import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { from, lastValueFrom, of, throwError } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorder } from '../../src/node/recorder.js';
import { isSecretName, redactUrl } from '../../src/node/recordings/redact.js';
import { isBodyError } from '../../src/request/errors/BodyError.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import type { FetchLike } from '../../src/request/FetchLike.js';
import { coldFetch } from '../../src/transport/coldFetch.js';

const URL = 'https://api.example/v1/users?page=2';

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A form; with `text`, of files that hold it. */
function form(fields: Readonly<Record<string, string>>, text?: string): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (text === undefined) made.append(name, value);
    else made.append(name, new Blob([text], { type: 'image/png' }), value);
  }
  return made;
}

/** Answers with what it was sent. */
const reading: FetchLike = async (input, init) => new Response(await new Request(input, init).text());

describe('recorder', () => {
  let folder: string;
  const files = (): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
  const textOf = (ending: string): string => readFileSync(join(folder, files().find((name) => name.endsWith(ending)) ?? ''), 'utf8');
  const answering =
    (body: string | Uint8Array | ReadableStream | null, init?: ResponseInit): FetchLike =>
    () =>
      of(new Response(body, init));
  const offline: FetchLike = () => throwError(() => new Error('no network'));

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'coldfetch-recorder-')), 'raw');
  });
  afterEach(() => {
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  it('writes a readable file for the header fields and one for the body, and gives the answer as it came', async () => {
    const fetch = recorder(folder, { fetch: answering('{"n":1}', { status: 201, headers: { 'content-type': 'application/json' } }) });
    const response = await fetch(URL, { headers: { accept: 'application/json' } });
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({ status: 201, type: 'application/json' });
    expect(await response.text()).toBe('{"n":1}');
    expect(files()).toEqual([
      expect.stringMatching(/^GET_api\.example_v1_users_[\da-f]{12}\.[\da-f]{12}\.body$/),
      expect.stringMatching(/^GET_api\.example_v1_users_[\da-f]{12}\.headers\.json$/),
    ]);
    expect(textOf('.body')).toBe('{"n":1}');
    expect(JSON.parse(textOf('.headers.json'))).toEqual({
      request: { method: 'GET', url: URL, headers: [['accept', 'application/json']] },
      response: { status: 201, statusText: '', url: '', redirected: false, headers: [['content-type', 'application/json']] },
      recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      complete: true,
      body: { file: files()[0], bytes: 7 },
    });
  });

  it.each([
    ['text', 'ä'.repeat(100), { status: 200, statusText: 'Fine' }],
    ['bytes', Uint8Array.from({ length: 200_000 }, (_, i) => i % 251), { status: 200 }],
    ['an empty body', '', { status: 200 }],
    ['no body', null, { status: 204 }],
    ['a failure', 'busy', { status: 429, headers: { 'retry-after': '3' } }],
  ])('replays %s, without a request', async (_, body, init) => {
    await (await recorder(folder, { fetch: answering(body, init) })(URL)).arrayBuffer();
    const replayed = await recorder(folder, { mode: 'replay', fetch: offline })(URL);
    expect({ status: replayed.status, statusText: replayed.statusText, retry: replayed.headers.get('retry-after') }).toEqual({
      status: init.status,
      statusText: 'statusText' in init ? init.statusText : '',
      retry: 'headers' in init ? init.headers['retry-after'] : null,
    });
    expect(new Uint8Array(await replayed.arrayBuffer())).toEqual(new Uint8Array(await new Response(body).arrayBuffer()));
  });

  it('keeps several set-cookie fields apart, and their values to itself', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=secret; Path=/'],
      ['set-cookie', 'b=secret'],
    ]);
    await (await recorder(folder, { fetch: answering('x', { headers }) })(URL)).text();
    const replayed = await recorder(folder, { mode: 'replay' })(URL);
    expect(replayed.headers.getSetCookie()).toEqual(['REDACTED', 'REDACTED']);
  });

  describe('writes no secret', () => {
    it('of header fields and of the query, and finds the recording after they have changed', async () => {
      const ask = (mode: 'record' | 'replay', secret: string): Promise<Response> =>
        recorder(folder, { mode, fetch: answering('x', { headers: { location: `https://cdn.example/x?X-Amz-Signature=${secret}` } }) })(
          `https://user:${secret}@api.example/rows?page=1&api_key=${secret}&access_token=${secret}#${secret}`,
          {
            headers: {
              authorization: `Bearer ${secret}`,
              cookie: `sid=${secret}`,
              'x-api-key': secret,
              'x-auth-token': secret,
              'x-page': '1',
            },
          },
        );
      await (await ask('record', 'hunter2')).text();
      const written = files()
        .map((name) => name + readFileSync(join(folder, name), 'utf8'))
        .join('\n');
      expect(written).not.toContain('hunter2');
      expect(written).toContain('page=1&api_key=REDACTED&access_token=REDACTED');
      expect(written).toMatch(/"x-page",\s+"1"/);
      expect(await (await ask('replay', 'another')).text()).toBe('x');
    });

    it('of names that the caller adds', async () => {
      const isSecret = (name: string): boolean => name === 'tenant';
      await (await recorder(folder, { fetch: answering('x'), isSecret })('https://api.example/?tenant=acme')).text();
      expect(textOf('.headers.json')).not.toContain('acme');
    });

    it.each([
      'Authorization',
      'Proxy-Authorization',
      'Cookie',
      'Set-Cookie',
      'X-Api-Key',
      'apikey',
      'api_key',
      'key',
      'token',
      'X-Amz-Signature',
      'X-Amz-Credential',
      'sig',
      'refresh_token',
      'client_secret',
      'password',
      'sessionid',
      'authToken',
      'accesstoken',
      'clientSecret',
      'X-Goog-Api-Key',
      'Ocp-Apim-Subscription-Key',
      'rapidapi-key',
    ])('knows %s for a secret', (name) => {
      expect(isSecretName(name)).toBe(true);
    });

    it.each([
      'page',
      'monkey',
      'keyboard',
      'author',
      'authors',
      'signal',
      'tokens_used',
      'design',
      'x-request-id',
      'etag',
      'content-type',
      'passage',
      'sort_key',
      'Idempotency-Key',
      'page_token',
      'pageToken',
      'next_token',
      'continuation-token',
    ])('knows %s for none', (name) => {
      expect(isSecretName(name)).toBe(false);
    });

    it.each([
      ['location', '/next?token=hunter2&page=2', '/next?token=REDACTED&page=2'],
      ['location', 'https://ada:hunter2@cdn.example/x#access_token=hunter2&state=1', 'https://cdn.example/x#access_token=REDACTED&state=1'],
      [
        'link',
        '</a?page=2&api_key=hunter2>; rel="next", </a?api_key=hunter2>; rel="first"',
        '</a?page=2&api_key=REDACTED>; rel="next", </a?api_key=REDACTED>; rel="first"',
      ],
    ])('of a field %s that holds URLs, relative ones too', async (field, value, written) => {
      await (await recorder(folder, { fetch: answering('x', { headers: { [field]: value } }) })(URL)).text();
      expect(JSON.parse(textOf('.headers.json'))).toMatchObject({ response: { headers: expect.arrayContaining([[field, written]]) } });
    });

    it('of user info and fragment', () => {
      expect(redactUrl('https://ada:pw@api.example/a?b=1#token', () => false)).toBe('https://api.example/a?b=1');
    });
  });

  describe('tells requests apart', () => {
    it.each<[string, Parameters<FetchLike>, Parameters<FetchLike>]>([
      ['by method', [URL, {}], [URL, { method: 'DELETE' }]],
      ['by query', [URL, {}], ['https://api.example/v1/users?page=3', {}]],
      ['by text body', [URL, { method: 'POST', body: 'a' }], [URL, { method: 'POST', body: 'b' }]],
      ['by bytes', [URL, { method: 'POST', body: Uint8Array.of(1) }], [URL, { method: 'POST', body: Uint8Array.of(2) }]],
      [
        'by any view of bytes',
        [URL, { method: 'POST', body: new DataView(Uint8Array.of(1).buffer) }],
        [URL, { method: 'POST', body: Uint16Array.of(2) }],
      ],
      ['by file', [URL, { method: 'POST', body: new Blob(['a']) }], [URL, { method: 'POST', body: new Blob(['b']) }]],
      ['by the fields of a form', [URL, { method: 'POST', body: form({ a: '1' }) }], [URL, { method: 'POST', body: form({ a: '2' }) }]],
      [
        'by the files of a form',
        [URL, { method: 'POST', body: form({ a: 'x.png' }, 'a') }],
        [URL, { method: 'POST', body: form({ a: 'x.png' }, 'b') }],
      ],
      [
        'by the body of a Request',
        [new Request(URL, { method: 'POST', body: 'a' }), {}],
        [new Request(URL, { method: 'POST', body: 'b' }), {}],
      ],
      ['by page of a list', ['https://api.example/rows?page_token=a', {}], ['https://api.example/rows?page_token=b', {}]],
      ['by what they accept', [URL, { headers: { accept: 'text/csv' } }], [URL, { headers: { accept: 'text/html' } }]],
      ['by range', [URL, { headers: { range: 'bytes=0-1' } }], [URL, { headers: { range: 'bytes=2-3' } }]],
    ])('%s', async (_, first, second) => {
      await (await recorder(folder, { fetch: answering('first') })(...first)).text();
      await (await recorder(folder, { fetch: answering('second') })(...second)).text();
      expect(await (await recorder(folder, { mode: 'replay' })(...first)).text()).toBe('first');
      expect(await (await recorder(folder, { mode: 'replay' })(...second)).text()).toBe('second');
    });

    it.each([
      ['text', 'päyload'],
      ['bytes', new TextEncoder().encode('päyload')],
      ['a file', new Blob(['päyload'])],
      ['a stream', () => new Blob(['päyload']).stream()],
      ['what is iterated', () => Readable.from([Buffer.from('päy'), Buffer.from('load')])],
    ])('and knows the same bytes in %s', async (_, body) => {
      const init = (): RequestInit => ({ method: 'POST', body: (typeof body === 'function' ? body() : body) as string, duplex: 'half' });
      await (await recorder(folder, { fetch: reading })(URL, init())).text();
      const replay = recorder(folder, { mode: 'replay' });
      expect(await (await replay(URL, { method: 'POST', body: 'päyload' })).text()).toBe('päyload');
      expect(await (await replay(URL, init())).text()).toBe('päyload');
      expect(await failureOf(replay(URL, { method: 'POST', body: 'payload' }))).toMatchObject({
        message: `POST ${URL} was not recorded in ${folder}; the nearest is the same with another body, redirect mode or field accept, range, last-event-id. Record it, or use mode: 'fill'`,
      });
    });

    it('by a form, whose boundary is another each time', async () => {
      await (await recorder(folder, { fetch: answering('x') })(URL, { method: 'POST', body: form({ a: '1' }) })).text();
      expect(await (await recorder(folder, { mode: 'replay' })(URL, { method: 'POST', body: form({ a: '1' }) })).text()).toBe('x');
    });

    it('and leaves the body of a Request and a stream to be sent', async () => {
      const stream = (): RequestInit => ({ method: 'POST', body: new Blob(['b']).stream(), duplex: 'half' });
      for (const mode of ['record', 'fill'] as const) {
        const fetch = recorder(`${folder}/${mode}`, { mode, fetch: reading });
        expect(await (await fetch(new Request(URL, { method: 'POST', body: 'a' }))).text()).toBe('a');
        expect(await (await fetch(URL, stream())).text()).toBe('b');
      }
    });

    it('not by a stream that was not sent to its end: its answer is not recorded', async () => {
      const early = answering('too large', { status: 413 });
      const body = new ReadableStream({ pull: (controller) => controller.enqueue(Uint8Array.of(1)) });
      expect((await recorder(folder, { fetch: early })(URL, { method: 'POST', body, duplex: 'half' })).status).toBe(413);
      expect(files()).toEqual([]);
    });

    it('by who follows redirects', async () => {
      const moved = answering(null, { status: 302, headers: { location: '/there' } });
      const there = Object.defineProperties(new Response('there'), { redirected: { value: true } });
      await recorder(folder, { fetch: moved })(URL, { redirect: 'manual' });
      expect(await failureOf(recorder(folder, { mode: 'replay' })(URL))).toSatisfy(isUsageError);
      await (await recorder(folder, { fetch: () => of(there) })(URL)).text();
      const replay = recorder(folder, { mode: 'replay' });
      expect((await replay(URL, { redirect: 'manual' })).status).toBe(302);
      expect(await (await replay(URL)).text()).toBe('there');
      expect(await failureOf(replay(URL, { redirect: 'error' }))).toSatisfy(isUsageError);
    });

    it('not by who would follow redirects, where there was none', async () => {
      await (await recorder(folder, { fetch: answering('x') })(URL)).text();
      expect(await (await recorder(folder, { mode: 'replay' })(URL, { redirect: 'manual' })).text()).toBe('x');
    });
  });

  describe('replay', () => {
    it('is strict: what was not recorded is an error that names the nearest recording', async () => {
      for (const url of ['https://api.example/v1/orders?page=2', URL, 'https://other.example/v1/users?page=2']) {
        await (await recorder(folder, { fetch: answering('x') })(url)).text();
      }
      const error = await failureOf(
        recorder(folder, { mode: 'replay', fetch: offline })('https://api.example/v1/users?page=3&token=secret'),
      );
      expect(isUsageError(error)).toBe(true);
      expect((error as Error).message).toBe(
        `GET https://api.example/v1/users?page=3&token=REDACTED was not recorded in ${folder}; the nearest is GET ${URL}. Record it, or use mode: 'fill'`,
      );
    });

    it('says when there is no recording at all', async () => {
      expect(await failureOf(recorder(folder, { mode: 'replay' })(URL))).toMatchObject({
        message: expect.stringContaining('there are no recordings'),
      });
    });

    it('restores URL and redirects', async () => {
      const response = Object.defineProperties(new Response('x'), {
        url: { value: 'https://api.example/moved' },
        redirected: { value: true },
      });
      const recorded = await recorder(folder, { fetch: () => of(response) })(URL);
      await recorded.text();
      const replayed = await recorder(folder, { mode: 'replay' })(URL);
      for (const { url, redirected } of [recorded, replayed])
        expect({ url, redirected }).toEqual({ url: 'https://api.example/moved', redirected: true });
    });

    it('restores a URL with its secrets', async () => {
      const url = 'https://api.example/?key=secret';
      await (await recorder(folder, { fetch: () => of(Object.defineProperty(new Response('x'), 'url', { value: url })) })(url)).text();
      expect((await recorder(folder, { mode: 'replay' })(url)).url).toBe(url);
    });

    it("is stopped by a signal, with the signal's reason", async () => {
      await (await recorder(folder, { fetch: answering('x') })(URL)).text();
      const reason = new Error('stopped');
      expect(await failureOf(recorder(folder, { mode: 'replay' })(URL, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    });

    it('says that a body is lost', async () => {
      await (await recorder(folder, { fetch: answering('x') })(URL)).text();
      unlinkSync(join(folder, files()[0] ?? ''));
      const replayed = await recorder(folder, { mode: 'replay' })(URL);
      expect(isBodyError(await failureOf(replayed.text()))).toBe(true);
    });

    it('serves as the fetch of coldFetch', async () => {
      await (await recorder(folder, { fetch: answering('[1,2]') })(URL)).text();
      const fetch = recorder(folder, { mode: 'replay' });
      expect(await lastValueFrom(coldFetch(URL, { fetch, selector: (response) => response.json() }))).toEqual([1, 2]);
      expect(await failureOf(lastValueFrom(coldFetch('https://api.example/none', { fetch })))).toSatisfy(isUsageError);
    });
  });

  describe("answers: 'all'", () => {
    const answers = 'all';
    /** Answers in turn; an Error fails. */
    const inTurn = (...turns: readonly (string | Error)[]): FetchLike => {
      const left = [...turns];
      return () => {
        const next = left.shift() ?? 'no more';
        return typeof next === 'string' ? of(new Response(next, { status: next === 'busy' ? 503 : 200 })) : throwError(() => next);
      };
    };
    const readAll = async (fetch: FetchLike, times: number): Promise<string[]> => {
      const read: string[] = [];
      for (let i = 0; i < times; i++) read.push(await (await lastValueFrom(from(fetch(URL, {})))).text());
      return read;
    };

    it('replays each in its turn, failures too, and no more', async () => {
      const three = ['busy', 'pending', 'done'];
      await readAll(recorder(folder, { answers, fetch: inTurn(...three) }), 3);
      const replay = recorder(folder, { answers, mode: 'replay' });
      expect(await readAll(replay, 3)).toEqual(three);
      expect(await failureOf(replay(URL))).toMatchObject({
        message: `GET ${URL} was recorded 3 times in ${folder}, and is asked for once more. Record it again, or use mode: 'fill'`,
      });
      expect(await readAll(recorder(folder, { answers, mode: 'replay' }), 1)).toEqual(['busy']);
    });

    it('has no place for a request that failed', async () => {
      const fetch = recorder(folder, { answers, fetch: inTurn(new Error('lost'), 'fine') });
      expect(await failureOf(fetch(URL))).toMatchObject({ message: 'lost' });
      await (await fetch(URL)).text();
      expect(await readAll(recorder(folder, { answers, mode: 'replay' }), 1)).toEqual(['fine']);
    });

    it('leaves nothing of a longer recording', async () => {
      await readAll(recorder(folder, { answers, fetch: inTurn('1', '2', '3', '4') }), 4);
      await readAll(recorder(folder, { answers, fetch: inTurn('a', 'b') }), 2);
      const replay = recorder(folder, { answers, mode: 'replay' });
      expect(await readAll(replay, 2)).toEqual(['a', 'b']);
      expect(await failureOf(replay(URL))).toSatisfy(isUsageError);
    });

    it('fills what is missing', async () => {
      await readAll(recorder(folder, { answers, fetch: inTurn('1') }), 1);
      expect(await readAll(recorder(folder, { answers, mode: 'fill', fetch: inTurn('2') }), 2)).toEqual(['1', '2']);
      expect(await readAll(recorder(folder, { answers, mode: 'replay' }), 2)).toEqual(['1', '2']);
    });

    it('gives requests at once an answer each', async () => {
      await readAll(recorder(folder, { answers, fetch: inTurn('1', '2') }), 2);
      const replay = recorder(folder, { answers, mode: 'replay' });
      const both = await Promise.all([replay(URL), replay(URL)]);
      expect(await Promise.all(both.map((response) => response.text()))).toEqual(['1', '2']);
    });
  });

  it('fills what is missing', async () => {
    let requests = 0;
    const fetch = recorder(folder, { mode: 'fill', fetch: () => of(new Response(`answer ${++requests}`)) });
    expect(await (await fetch(URL)).text()).toBe('answer 1');
    expect(await (await fetch(URL)).text()).toBe('answer 1');
    expect(requests).toBe(1);
  });

  describe('a later answer', () => {
    const record = async (body: string, status = 200): Promise<void> => {
      await (await recorder(folder, { fetch: answering(body, { status }) })(URL)).text();
    };
    const replayed = async (): Promise<string> => (await recorder(folder, { mode: 'replay' })(URL)).text();

    it('takes the place of an earlier one, and leaves no file of it', async () => {
      await record('old');
      await record('new');
      expect(await replayed()).toBe('new');
      expect(files()).toHaveLength(2);
    });

    it('takes the place of others that are recorded at the same time, and leaves no file of them', async () => {
      let n = 0;
      const fetch = recorder(folder, { fetch: () => of(new Response(`body ${n++ % 3}`)) });
      await Promise.all(Array.from({ length: 20 }, async () => (await fetch(URL)).text()));
      expect(await replayed()).toMatch(/^body [012]$/);
      expect(files()).toHaveLength(2);
    });

    it('that is a success takes the place of a failure', async () => {
      await record('busy', 429);
      expect(await replayed()).toBe('busy');
      await record('fine');
      expect(await replayed()).toBe('fine');
    });

    it('that is a failure does not take the place of a success', async () => {
      await record('fine');
      await record('broken', 500);
      expect(await replayed()).toBe('fine');
      expect(files()).toHaveLength(2);
    });
  });

  describe('a body that is not read to its end', () => {
    const endless = (): Response =>
      new Response(new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(10).fill(97)) }));

    it('is kept as far as it was read, and says so when it is replayed', async () => {
      const reader = (await recorder(folder, { fetch: () => of(endless()) })(URL)).body?.getReader();
      await reader?.read();
      await reader?.read();
      await reader?.cancel();
      expect(JSON.parse(textOf('.headers.json'))).toMatchObject({ complete: false, body: { bytes: 20 } });
      const replayed = await recorder(folder, { mode: 'replay' })(URL);
      expect(await failureOf(replayed.text())).toMatchObject({ message: expect.stringContaining('ends here') });
    });

    it('does not take the place of a whole one', async () => {
      await (await recorder(folder, { fetch: answering('whole') })(URL)).text();
      await (await recorder(folder, { fetch: () => of(endless()) })(URL)).body?.cancel();
      expect(await (await recorder(folder, { mode: 'replay' })(URL)).text()).toBe('whole');
    });

    it('of a failure that is let go, keeps status and header fields', async () => {
      await (await recorder(folder, { fetch: answering('busy', { status: 429, headers: { 'retry-after': '3' } }) })(URL)).body?.cancel();
      expect((await recorder(folder, { mode: 'replay' })(URL)).headers.get('retry-after')).toBe('3');
    });

    it('leaves nothing when nobody reads it, or when it fails', async () => {
      const failing = new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('lost')) }));
      await recorder(folder, { fetch: answering('unread') })(URL);
      expect(await failureOf((await recorder(folder, { fetch: () => of(failing) })(URL)).text())).toMatchObject({ message: 'lost' });
      expect(files()).toEqual([]);
    });
  });

  it('clears away what killed processes left an hour ago, and nothing else', async () => {
    await (await recorder(folder, { fetch: answering('x') })(URL)).text();
    const uuid = '01234567-89ab-cdef-0123-456789abcdef';
    const left = [`body.${uuid}.tmp`, `GET_a_0123456789ab.headers.json.${uuid}.tmp`, 'mine.tmp', 'body.tmp'].map((name) =>
      join(folder, name),
    );
    const young = join(folder, `body.${uuid.replace('0', 'f')}.tmp`);
    for (const path of [...left, young]) writeFileSync(path, 'half');
    const long = new Date(Date.now() - 3_700_000);
    for (const path of left) utimesSync(path, long, long);
    await (await recorder(folder, { fetch: answering('y') })(URL)).text();
    expect([...left, young].map((path) => existsSync(path))).toEqual([false, false, true, true, true]);
  });

  it('passes a failure to connect on as it is', async () => {
    expect(await failureOf(recorder(folder, { fetch: offline })(URL))).toMatchObject({ message: 'no network' });
    expect(files()).toEqual([]);
  });

  it('does not hold a chunk back until the rest has come', async () => {
    let send: ((text: string) => void) | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => {
          controller.enqueue(new TextEncoder().encode(text));
        };
      },
    });
    const reader = (await recorder(folder, { fetch: () => of(new Response(body)) })(URL)).body?.getReader();
    send?.('first');
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode('first'));
    await reader?.cancel();
  });

  it('reads no faster than its reader', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(65_536));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = (await recorder(folder, { fetch: () => of(new Response(body)) })(URL)).body?.getReader();
    for (let i = 0; i < 3; i++) await reader?.read();
    expect(pulled).toBe(3);
    await reader?.cancel();
  });

  describe('with a server', () => {
    let server: Server;
    const serve = async (listener: RequestListener): Promise<string> => {
      server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    it('records decoded bytes, and replays them with the server gone', async () => {
      const base = await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"n":1}'));
      });
      expect(await (await recorder(folder)(`${base}/rows`)).json()).toEqual({ n: 1 });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const replayed = await recorder(folder, { mode: 'replay' })(`${base}/rows`);
      expect(replayed.url).toBe(`${base}/rows`);
      expect(await replayed.json()).toEqual({ n: 1 });
    });

    it('takes Request objects', async () => {
      const base = await serve((request, response) => response.end(request.method));
      await (await recorder(folder)(new Request(`${base}/rows`, { method: 'DELETE' }))).text();
      expect(await (await recorder(folder, { mode: 'replay' })(`${base}/rows`, { method: 'DELETE' })).text()).toBe('DELETE');
    });
  });

  it.each([undefined, null, 5, ''])('refuses %o, which is no folder, at the call', (path) => {
    expect(() => recorder(path as string)).toThrow(expect.toSatisfy(isUsageError));
    expect(() => recorder(path as string)).toThrow(
      /^recorder: folder is (undefined|null|5|''); give the path of a folder for the recordings$/,
    );
  });

  it.each([
    [{ mode: 'Replay' }, "recorder: mode is 'Replay'; give 'record' or 'replay' or 'fill'"],
    [{ answers: 'last' }, "recorder: answers is 'last'; give 'latest' or 'all'"],
    [{ fetch: 'fetch' }, 'recorder: fetch is fetch; give a function that makes a request, as fetch does'],
  ])('refuses %o at the call', (options, message) => {
    expect(() => recorder(folder, options as never)).toThrow(message);
  });

  it('finds the nearest recording in no long time, however long URLs are', async () => {
    const long = 'https://api.example/rows?ids=' + '7,'.repeat(50_000);
    for (let i = 0; i < 3; i++) await (await recorder(folder, { fetch: answering('x') })(`${long}${i}`)).text();
    expect(await failureOf(recorder(folder, { mode: 'replay' })(`${long}9`))).toSatisfy(isUsageError);
  });

  it('writes files that only the user may read', async () => {
    await (await recorder(folder, { fetch: answering('x') })(URL)).text();
    expect(files().map((name) => statSync(join(folder, name)).mode & 0o077)).toEqual([0, 0]);
  });
});
