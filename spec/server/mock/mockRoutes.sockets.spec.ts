import { get as httpGet } from 'node:http';
import type { RunningServer } from 'coldfetch/server';
import { describe, expect, it } from 'vitest';
import { serve } from '../support.js';

interface Page {
  readonly items: readonly { readonly id: number }[];
  readonly next: string | number | null;
}

const fetchFrom = (server: RunningServer, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/mock/${path}`, { headers });

async function pageOf(server: RunningServer, path: string): Promise<Page> {
  return (await (await fetchFrom(server, path)).json()) as Page;
}

/** All that arrives, and whether the answer ended as it should. */
function everything(server: RunningServer, path: string, headers: Record<string, string> = {}): Promise<{ text: string; whole: boolean }> {
  return new Promise((resolve, reject) => {
    httpGet(`${server.url}/mock/${path}`, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => undefined);
      answer.on('close', () => resolve({ text: Buffer.concat(chunks).toString(), whole: answer.complete }));
    }).on('error', reject);
  });
}

describe('GET /mock/items', () => {
  it.each(['cursor', 'offset', 'page'])('gives 1,001 items in 11 pages, by %s', async (by) => {
    const server = await serve();
    const ids: number[] = [];
    let path = `items?by=${by}`;
    for (let pages = 1; ; pages++) {
      const { items, next } = await pageOf(server, path);
      ids.push(...items.map(({ id }) => id));
      if (next === null) {
        expect(pages).toBe(11);
        break;
      }
      path = `items?${by}=${next}`;
    }
    expect(ids).toEqual(Array.from({ length: 1_001 }, (_, index) => index + 1));
  });

  it('links the pages by RFC 8288, keeping the query', async () => {
    const server = await serve();
    const link = (await fetchFrom(server, 'items?page=2&total=30&size=10')).headers.get('link');
    const url = `${server.url}/mock/items?page=N&total=30&size=10`;
    const expected = [`<${url}>; rel="first"`, `<${url}>; rel="prev"`, `<${url}>; rel="next"`, `<${url}>; rel="last"`];
    expect(link).toBe(expected.map((text, index) => text.replace('N', ['1', '1', '3', '3'][index] ?? '')).join(', '));
    expect((await fetchFrom(server, 'items?page=3&total=30&size=10')).headers.get('link')).not.toContain('rel="next"');
  });

  it('links relatively, or to another origin, when told to', async () => {
    const server = await serve();
    expect((await fetchFrom(server, 'items?by=page&links=relative')).headers.get('link')).toContain(
      '</mock/items?by=page&links=relative&page=2>',
    );
    expect((await fetchFrom(server, 'items?by=page&to=http://example.com')).headers.get('link')).toContain(
      '<http://example.com/mock/items?',
    );
  });

  it('repeats cursors: A, A or A, B, A', async () => {
    const server = await serve();
    const cursors = async (period: number): Promise<unknown[]> => {
      const seen: unknown[] = [];
      for (let n = 0, cursor: unknown = ''; n < 3; n++) {
        cursor = (await pageOf(server, `items?mode=repeating&period=${period}&cursor=${String(cursor)}`)).next;
        seen.push(cursor);
      }
      return seen;
    };
    const [a, again] = await cursors(1);
    expect(again).toBe(a);
    const [first, second, third] = await cursors(2);
    expect(second).not.toBe(first);
    expect(third).toBe(first);
  });

  it('never ends in mode endless', async () => {
    const page = await pageOf(await serve(), 'items?mode=endless&page=1000000&size=2');
    expect(page).toMatchObject({ items: [{ id: 1_999_999 }, { id: 2_000_000 }], next: 1_000_001 });
  });

  it('has an empty page with a next one in mode empty', async () => {
    const server = await serve();
    expect(await pageOf(server, 'items?mode=empty&page=2')).toMatchObject({ items: [], next: 3 });
    expect((await pageOf(server, 'items?mode=empty&page=3')).items).toHaveLength(100);
  });

  it('is one empty page when there are no items', async () => {
    expect(await pageOf(await serve(), 'items?total=0')).toMatchObject({ items: [], next: null });
  });

  it.each(['cursor=nonsense', 'page=0', 'size=0', 'offset=7', 'mode=odd', 'total=-1', 'size=1&size=2'])(
    'answers 400 to %s',
    async (query) => {
      expect((await fetchFrom(await serve(), `items?${query}`)).status).toBe(400);
    },
  );
});

describe('GET /mock/etag/NAME', () => {
  it('answers 304 without a body to its ETag, until a PUT makes a new version', async () => {
    const server = await serve();
    const first = await fetchFrom(server, 'etag/a');
    const etag = first.headers.get('etag') ?? '';
    expect(await first.json()).toMatchObject({ name: 'a', version: 1 });
    const second = await fetchFrom(server, 'etag/a', { 'if-none-match': `"other", ${etag}` });
    expect([second.status, await second.text(), second.headers.get('x-served')]).toEqual([304, '', '2']);
    await fetch(`${server.url}/mock/etag/a`, { method: 'PUT' });
    expect((await fetchFrom(server, 'etag/a', { 'if-none-match': etag })).status).toBe(200);
  });

  it('has weak tags, dates or nothing when told to', async () => {
    const server = await serve();
    const weak = (await fetchFrom(server, 'etag/a?validator=weak')).headers.get('etag') ?? '';
    expect(weak).toMatch(/^W\//);
    expect((await fetchFrom(server, 'etag/a?validator=weak', { 'if-none-match': weak })).status).toBe(304);
    const date = (await fetchFrom(server, 'etag/a?validator=lastModified')).headers.get('last-modified') ?? '';
    expect((await fetchFrom(server, 'etag/a?validator=lastModified', { 'if-modified-since': date })).status).toBe(304);
    expect((await fetchFrom(server, 'etag/a?validator=both', { 'if-modified-since': date, 'if-none-match': '"other"' })).status).toBe(200);
    expect((await fetchFrom(server, 'etag/a?validator=none')).headers.get('etag')).toBeNull();
  });

  it('says what it is told to say to caches, and varies', async () => {
    const server = await serve();
    const answer = await fetchFrom(server, 'etag/a?cacheControl=max-age%3D60&vary=accept-language', { 'accept-language': 'de' });
    expect(answer.headers.get('cache-control')).toBe('max-age=60');
    expect(answer.headers.get('vary')).toBe('accept-language');
    expect(await answer.json()).toMatchObject({ variant: 'de' });
    const other = await fetchFrom(server, 'etag/a?vary=accept-language', {
      'accept-language': 'en',
      'if-none-match': answer.headers.get('etag') ?? '',
    });
    expect(other.status).toBe(200);
  });
});

describe('GET /mock/daily/DATE', () => {
  it('gives the same data for a date each time, fresh for a day, with an ETag', async () => {
    const server = await serve();
    const first = await fetchFrom(server, 'daily/2024-02-29');
    expect(first.headers.get('cache-control')).toBe('public, max-age=86400');
    const reading = (await first.json()) as { date: string; hours: number[] };
    expect(reading).toMatchObject({ date: '2024-02-29', mean: expect.any(Number) as number });
    expect(reading.hours).toHaveLength(24);
    expect(await (await fetchFrom(server, 'daily/2024-02-29?maxAge=0')).json()).toEqual(reading);
    expect((await fetchFrom(server, 'daily/2024-02-29', { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
    expect(server.counts.byRoute).toEqual({ 'GET /mock/daily/:date': 3 });
  });

  it.each(['2023-02-29', '2024-13-01', 'today', '2024-1-1'])('answers 400 to %s', async (date) => {
    expect((await fetchFrom(await serve(), `daily/${date}`)).status).toBe(400);
  });
});

describe('GET /mock/events', () => {
  const idsIn = (text: string): string[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id ?? '');

  it('sends numbered events, and the retry time first', async () => {
    const { text, whole } = await everything(await serve(), 'events?count=2&retry=700');
    const data = (n: number): string => `id: ${n}\ndata: {"n":${n},"text":"größer 🙂"}\n\n`;
    expect(text).toBe(`retry: 700\n\n${data(1)}${data(2)}`);
    expect(whole).toBe(true);
  });

  it('breaks after some events, and resumes behind the last one seen', async () => {
    const server = await serve();
    const first = await everything(server, 'events?count=5&breakAfter=3');
    expect([idsIn(first.text), first.whole]).toEqual([['1', '2', '3'], false]);
    const second = await everything(server, 'events?count=5&breakAfter=3', { 'last-event-id': '3' });
    expect([idsIn(second.text), second.whole]).toEqual([['4', '5'], true]);
  });

  it('sends events without ids when told to', async () => {
    const { text } = await everything(await serve(), 'events?count=2&ids=0');
    expect(text).toBe('data: {"n":1,"text":"größer 🙂"}\n\ndata: {"n":2,"text":"größer 🙂"}\n\n');
  });

  it('answers 204 when there is no more, and 400 to an id it never gave', async () => {
    const server = await serve();
    expect((await fetchFrom(server, 'events?count=5', { 'last-event-id': '5' })).status).toBe(204);
    expect((await fetchFrom(server, 'events', { 'last-event-id': 'x' })).status).toBe(400);
  });

  it('stays open when told to, until the client goes', async () => {
    const server = await serve();
    const abort = new AbortController();
    const answer = await fetch(`${server.url}/mock/events?hold=1&count=1`, { signal: abort.signal });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    expect(idsIn(Buffer.from((await reader.read()).value ?? []).toString())).toEqual(['1']);
    expect(server.requests.at(-1)?.aborted).toBe(false);
    abort.abort();
    await expect.poll(() => server.requests.at(-1)?.aborted).toBe(true);
  });

  it('notices a client that leaves between two events', async () => {
    const server = await serve();
    const abort = new AbortController();
    await fetch(`${server.url}/mock/events?interval=600000`, { signal: abort.signal });
    abort.abort();
    await expect.poll(() => server.requests.at(-1)?.aborted).toBe(true);
  });
});

describe('GET /mock/lines', () => {
  const numbersIn = (text: string): unknown[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);

  it('sends one JSON value a line', async () => {
    const { text, whole } = await everything(await serve(), 'lines?count=3');
    expect([numbersIn(text), whole]).toEqual([[1, 2, 3], true]);
  });

  it('breaks after some lines, in the middle of the next one if told to, and resumes from a line', async () => {
    const server = await serve();
    const broken = await everything(server, 'lines?count=4&breakAfter=2');
    expect([numbersIn(broken.text), broken.whole]).toEqual([[1, 2], false]);
    const torn = await everything(server, 'lines?count=4&breakAfter=1&tear=1');
    expect([torn.text.split('\n')[1], torn.whole]).toEqual(['{"n":2,"t', false]);
    const rest = await everything(server, 'lines?count=4&from=3');
    expect([numbersIn(rest.text), rest.whole]).toEqual([[3, 4], true]);
  });

  it('ends early as if it were complete, when told to', async () => {
    const { text, whole } = await everything(await serve(), 'lines?count=4&breakAfter=2&ending=clean');
    expect([numbersIn(text), whole]).toEqual([[1, 2], true]);
  });

  it('has a bad line when told to', async () => {
    const { text } = await everything(await serve(), 'lines?count=3&bad=2');
    expect(text.split('\n')[1]).toBe('{"n":');
  });

  it('sends many lines, all of them', async () => {
    const { text, whole } = await everything(await serve(), 'lines?count=20000&bytes=20');
    expect([text.split('\n').length, whole]).toEqual([20_001, true]);
  });
});
