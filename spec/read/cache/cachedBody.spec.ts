import { asFetch, createClient, httpCache, type HttpClient, memoryCache } from 'coldfetch';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { isComplete, keepStream } from '../../../src/read/cache/cachedBody.js';

const JSON_TEXT = '{"rows":[1,2,3]}';

function complete(headers: Readonly<Record<string, string>>, text: string | null, method = 'GET'): boolean {
  const body = text === null ? null : new TextEncoder().encode(text);
  const answer = { kind: 'answer', status: 200, url: '', headers: Object.entries(headers), sentAt: 0, receivedAt: 0, body } as const;
  return isComplete(answer, method);
}

describe('isComplete', () => {
  it.each([
    ['a shorter body than was promised', { 'content-length': '17' }, JSON_TEXT],
    ['a shorter one without a coding', { 'content-length': '17', 'content-encoding': 'identity' }, JSON_TEXT],
    ['compressed JSON that is cut', { 'content-encoding': 'gzip', 'content-type': 'application/json' }, JSON_TEXT.slice(0, 9)],
    ['compressed JSON of which nothing is left', { 'content-encoding': 'br', 'content-type': 'application/json; charset=utf-8' }, ''],
    ['text that only the end of the connection ends', { connection: 'close', 'content-type': 'text/plain' }, 'half of'],
    ['such text, compressed', { connection: 'close', 'content-encoding': 'gzip', 'content-type': 'text/plain' }, 'half of'],
    ['such JSON that is cut', { connection: 'close', 'content-type': 'application/json' }, '[1,'],
    ['JSON of a type of its own', { 'content-encoding': 'gzip', 'content-type': 'application/vnd.api+json' }, '[1,'],
  ])('knows %s', (_case, headers, text) => {
    expect(complete(headers, text)).toBe(false);
  });

  it.each([
    ['a body as long as promised', { 'content-length': '16' }, JSON_TEXT],
    ['a longer one, whose coding a fetch has hidden', { 'content-length': '15' }, JSON_TEXT],
    ['a body without a promise', {}, JSON_TEXT],
    ['no body', { 'content-length': '16' }, null],
    [
      'compressed JSON that parses, whatever its encoded length',
      { 'content-length': '9', 'content-encoding': 'gzip', 'content-type': 'application/json' },
      JSON_TEXT,
    ],
    ['compressed text, of which nothing is known', { 'content-encoding': 'gzip', 'content-type': 'text/plain' }, 'half of'],
    ['JSON as it came, which HTTP has checked', { 'content-type': 'application/json' }, '{'],
    ['JSON that the end of the connection ends, but that parses', { connection: 'close', 'content-type': 'application/json' }, '[1]'],
    ['text in chunks before the connection ends', { connection: 'close', 'transfer-encoding': 'chunked' }, 'text'],
    ['text of a known length before it ends', { connection: 'close', 'content-length': '4' }, 'text'],
    ['a length that is none', { 'content-length': '5, 5' }, JSON_TEXT],
  ])('takes for complete %s', (_case, headers, text) => {
    expect(complete(headers, text)).toBe(true);
  });

  it('does not measure the answer to a HEAD', () => {
    expect(complete({ 'content-length': '16' }, '', 'HEAD')).toBe(true);
  });
});

const URL = 'https://api.example/export';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A stream of these chunks, that may fail behind them. */
function streamOf(chunks: readonly string[], failure?: Error): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull: (controller) => {
      const chunk = left.shift();
      if (chunk !== undefined) controller.enqueue(bytes(chunk));
      else if (failure) controller.error(failure);
      else controller.close();
    },
  });
}

describe('keepStream', () => {
  it('passes all on, and keeps it at the end', async () => {
    const kept: Uint8Array[] = [];
    const stream = keepStream(streamOf(['ab', 'c']), 3, (body) => kept.push(body));
    expect(await new Response(stream).text()).toBe('abc');
    expect(kept).toEqual([bytes('abc')]);
  });

  it('keeps what came, whatever the reader does to it', async () => {
    const kept: Uint8Array[] = [];
    const stream = keepStream(streamOf(['ab']), 9, (body) => kept.push(body));
    for await (const chunk of stream) chunk.fill(0);
    expect(kept).toEqual([bytes('ab')]);
  });

  it('keeps nothing of what is too long, fails or is left, and passes that on', async () => {
    const keep = vi.fn();
    expect(await new Response(keepStream(streamOf(['ab', 'cd']), 3, keep)).text()).toBe('abcd');
    const failure = new Error('reset');
    await expect(new Response(keepStream(streamOf(['ab'], failure), 9, keep)).text()).rejects.toThrow();
    await keepStream(streamOf(['ab', 'c']), 9, keep).cancel();
    expect(keep).not.toHaveBeenCalled();
  });
});

describe('a cache, asked for streams', () => {
  /** A client of a server that sends a stream, its number in it, each time it is asked. */
  function server(headers: Readonly<Record<string, string>>) {
    const asked: Headers[] = [];
    const fetch = (_: unknown, init?: RequestInit): Promise<Response> => {
      const sent = new Headers(init?.headers);
      asked.push(sent);
      if (sent.has('if-none-match')) return Promise.resolve(new Response(null, { status: 304, headers }));
      return Promise.resolve(new Response(streamOf(['answer ', String(asked.length)]), { headers }));
    };
    return { asked, fetch };
  }
  const open = (http: HttpClient) => lastValueFrom(http.get(URL, { responseType: 'stream', observe: 'response' }));
  const read = async (http: HttpClient): Promise<readonly [string, string | undefined]> => {
    const { body, cacheStatus } = await open(http);
    return [await new Response(body).text(), cacheStatus];
  };

  it('gives them as they come, keeps them at their end, and gives them again', async () => {
    const { fetch, asked } = server({ 'cache-control': 'max-age=60' });
    const http = createClient({ fetch, cache: httpCache() });
    expect(await read(http)).toEqual(['answer 1', 'coldfetch; fwd=uri-miss']);
    expect(await read(http)).toEqual(['answer 1', expect.stringContaining('coldfetch; hit')]);
    expect(await firstValueFrom(http.get(URL, { responseType: 'text' }))).toBe('answer 1');
    expect(asked).toHaveLength(1);
  });

  it('validates them', async () => {
    const { fetch, asked } = server({ 'cache-control': 'no-cache', etag: '"1"' });
    const http = createClient({ fetch, cache: httpCache() });
    await read(http);
    expect(await read(http)).toEqual(['answer 1', 'coldfetch; fwd=stale; fwd-status=304; stored']);
    expect(asked).toHaveLength(2);
  });

  it('gives each reader one of its own, while they come too', async () => {
    const { fetch, asked } = server({ 'cache-control': 'max-age=60' });
    const http = createClient({ fetch, cache: httpCache() });
    const [first, second] = await Promise.all([open(http), open(http)]);
    expect(await new Response(first.body).text()).toBe('answer 1');
    expect(await new Response(second.body).text()).toBe('answer 2');
    expect(asked).toHaveLength(2);
  });

  it.each<[string, (http: HttpClient) => Promise<unknown>]>([
    ['that are left', async (http) => (await open(http)).body?.cancel()],
    [
      'that a write has overtaken',
      async (http) => {
        const { body } = await open(http);
        await lastValueFrom(http.post(URL, {}, { responseType: 'text' }));
        return new Response(body).text();
      },
    ],
  ])('keeps none %s', async (_, leave) => {
    const store = memoryCache();
    await leave(createClient({ fetch: server({ 'cache-control': 'max-age=60' }).fetch, cache: httpCache({ store }) }));
    expect(store.size).toBe(0);
  });

  it.each([
    ['longer than the request allows', { 'cache-control': 'max-age=60' }, 3],
    ['of events, whose end is no end', { 'content-type': 'text/event-stream; charset=utf-8' }, undefined],
    ['that may not be stored', { 'cache-control': 'no-store' }, undefined],
  ])('keeps none %s', async (_, headers, maxBytes) => {
    const store = memoryCache();
    const http = createClient({ fetch: server(headers).fetch, cache: httpCache({ store, ttl: 60_000 }), maxBytes });
    expect((await read(http))[0]).toBe('answer 1');
    expect(store.size).toBe(0);
  });

  it('serves asFetch', async () => {
    const { fetch, asked } = server({ 'cache-control': 'max-age=60' });
    const caching = asFetch({ fetch, cache: httpCache() });
    expect(await (await caching(URL)).text()).toBe('answer 1');
    const again = await caching(URL);
    const status = again.headers.get('cache-status');
    expect([await again.text(), again.status, status]).toEqual(['answer 1', 200, expect.stringContaining('coldfetch; hit')]);
    expect(asked).toHaveLength(1);
  });
});
