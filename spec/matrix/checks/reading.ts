import {
  coldFetch,
  createClient,
  isPaginationError,
  isStreamError,
  jsonLines,
  linkPages,
  numberedPages,
  paginate,
  serverSentEvents,
  httpCache,
} from 'coldfetch';
import { lastValueFrom, map, take } from 'rxjs';
import { failsBy, same, valuesOf } from './assert.js';
import type { Check } from './Check.js';

const EVENTS = { 'content-type': 'text/event-stream' };

/** Streams, pages and the cache. */
export const reading: readonly Check[] = [
  {
    name: 'lines of JSON are read as they come',
    run: async (serve) => {
      const { url } = await serve({ chunks: ['{"n":1}\n{"n"', ':2}\n', '{"n":3}'] });
      same(await valuesOf(coldFetch(url, { selector: jsonLines<{ n: number }>() })), [{ n: 1 }, { n: 2 }, { n: 3 }]);
    },
  },
  {
    name: 'lines that break off are a StreamError, unless they are resumed',
    run: async (serve) => {
      const { url } = await serve({ chunks: ['{"n":1}\n', '{"n":'], reset: 'behind' }, { text: '{"n":2}\n' });
      await failsBy(coldFetch(url, { selector: jsonLines() }), isStreamError);
      const torn = await serve({ chunks: ['{"n":1}\n', '{"n":'], reset: 'behind' }, { text: '{"n":2}\n' });
      const selector = jsonLines<{ n: number }>({ resume: () => coldFetch(torn.url) });
      same(await valuesOf(coldFetch(torn.url, { selector })), [{ n: 1 }, { n: 2 }]);
    },
  },
  {
    name: 'work on a line is done one at a time',
    run: async (serve) => {
      const { url } = await serve({ text: '1\n2\n3\n' });
      let [now, most] = [0, 0];
      const each = async (line: number): Promise<number> => {
        most = Math.max(most, (now += 1));
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        return line * 2;
      };
      same(await valuesOf(coldFetch(url, { selector: jsonLines({ each }) })), [2, 4, 6]);
      same(most, 1);
    },
  },
  {
    name: 'leaving a stream closes its connection',
    run: async (serve) => {
      const { url, logWhen } = await serve({ chunks: ['1\n', '2\n'], missing: 'end' });
      same(await lastValueFrom(coldFetch(url, { selector: jsonLines<number>() }).pipe(take(1))), 1);
      await logWhen(({ requests: [first] }) => first?.abandoned === true);
    },
  },
  {
    name: 'server-sent events reconnect behind the last one',
    run: async (serve) => {
      const { url, log } = await serve(
        { text: 'retry: 500\nid: 1\ndata: a\n\n', headers: EVENTS },
        { chunks: ['id: 2\ndata: b\n\n', 'id: 3\nda'], reset: 'behind', headers: EVENTS },
        { text: 'id: 3\ndata: c\n\n', headers: EVENTS },
        { status: 204 },
      );
      const events = await valuesOf(serverSentEvents((headers) => coldFetch(url, { headers })).pipe(map(({ data }) => data)));
      same(events, ['a', 'b', 'c']);
      same(
        (await log()).requests.map(({ headers }) => headers['last-event-id'] ?? null),
        [null, '1', '2', '3'],
      );
    },
  },
  {
    name: 'an event stream that cannot be opened is tried again',
    run: async (serve) => {
      const { url } = await serve({ reset: 'before' }, { text: 'data: a\n\n', headers: EVENTS });
      const events = await valuesOf(serverSentEvents((headers) => coldFetch(url, { headers }), { reconnectAfter: 500 }));
      same(
        events.map(({ data }) => data),
        ['a'],
      );
    },
  },
  {
    name: 'pages are followed by their links',
    run: async (serve) => {
      const { url } = await serve({ json: [1, 2], headers: { link: '<?page=2>; rel="next"' } }, { json: [3] });
      same(await valuesOf(linkPages<number>(createClient({ baseUrl: url }), '/items')), [1, 2, 3]);
    },
  },
  {
    name: 'pages are followed by cursor and by number',
    run: async (serve) => {
      const { url, log } = await serve({ json: { items: [1], next: 'x' } }, { json: { items: [2] } }, { json: [3] }, { json: [] });
      const http = createClient({ baseUrl: url });
      const byCursor = (cursor: string | undefined) => http.get<{ items: number[]; next?: string }>('/', { params: { cursor } });
      same(await valuesOf(paginate(byCursor)), [1, 2]);
      same(await valuesOf(paginate(numberedPages((page) => http.get<number[]>('/', { params: { page } })))), [3]);
      same(
        (await log()).requests.map(({ path }) => path),
        ['/', '/?cursor=x', '/?page=1', '/?page=2'],
      );
    },
  },
  {
    name: 'a cursor that comes again is an error',
    run: async (serve) => {
      const { url } = await serve({ json: { items: [1], next: 'x' } });
      const http = createClient({ baseUrl: url });
      const again = (cursor: string | undefined) => http.get<{ items: number[]; next: string }>('/', { params: { cursor } });
      await failsBy(paginate(again), isPaginationError);
    },
  },
  {
    name: 'the cache answers while it is fresh, then validates',
    run: async (serve) => {
      const headers = { etag: '"1"', 'cache-control': 'max-age=60' };
      const { url, log } = await serve({ json: 1, headers });
      const http = createClient({ baseUrl: url, cache: httpCache() });
      same(await Promise.all([lastValueFrom(http.get('/')), lastValueFrom(http.get('/'))]), [1, 1]);
      same([await lastValueFrom(http.get('/')), (await log()).requests.length], [1, 1]);
      const stale = await serve({ json: 1, headers: { ...headers, 'cache-control': 'no-cache' } }, { status: 304, headers });
      const validating = createClient({ baseUrl: stale.url, cache: httpCache() });
      same([await lastValueFrom(validating.get('/')), await lastValueFrom(validating.get('/'))], [1, 1]);
      same((await stale.log()).requests[1]?.headers['if-none-match'], '"1"');
    },
  },
  {
    name: 'the cache stands in while the server is down',
    run: async (serve) => {
      const { url } = await serve({ json: 1, headers: { etag: '"1"', 'cache-control': 'max-age=0' } }, { status: 503 });
      const http = createClient({ baseUrl: url, cache: httpCache({ staleIfError: 60_000 }), retry: false });
      same([await lastValueFrom(http.get('/')), await lastValueFrom(http.get('/'))], [1, 1]);
    },
  },
];
