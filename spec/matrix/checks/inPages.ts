import { createClient, isNetworkError, isPaginationError, linkPages } from 'coldfetch';
import { xhr } from 'coldfetch/xhr';
import { lastValueFrom } from 'rxjs';
import { failsBy, holds, same, valuesOf } from './assert.js';
import type { Check } from './Check.js';

/** Checks of pages: an origin, CORS, XMLHttpRequest. */
export const inPages: readonly Check[] = [
  {
    name: "a relative base URL is the page's",
    run: async (serve) => {
      const { url } = await serve({ json: 1 });
      same(await lastValueFrom(createClient({ baseUrl: new URL(url).pathname }).get('/')), 1);
    },
  },
  {
    name: 'another origin is read by CORS, its Retry-After too',
    run: async (serve) => {
      const { abroad } = await serve({ status: 429, headers: { 'retry-after': '1' } }, { json: 1 });
      const events = await valuesOf(createClient({ baseUrl: abroad, headers: { 'x-api-key': '1' } }).get('/', { observe: 'events' }));
      same(events.find((event) => event.type === 'wait')?.source, 'retryAfter');
    },
  },
  {
    name: 'an answer without CORS is a NetworkError that says so',
    run: async (serve) => {
      const { abroad } = await serve({ json: 1, cors: false });
      const error = await failsBy(createClient({ baseUrl: abroad, retry: false }).get('/'), isNetworkError);
      holds(error.message.includes('Access-Control-Allow-Origin'), error.message);
    },
  },
  {
    name: 'pages whose links are hidden are an error',
    run: async (serve) => {
      const { abroad } = await serve({ json: [1], headers: { link: '<?page=2>; rel="next"', 'access-control-expose-headers': 'etag' } });
      await failsBy(linkPages(createClient({ baseUrl: abroad }), '/'), isPaginationError);
    },
  },
  {
    name: 'a stream as a body over HTTP/1.1 is refused once, with the reason',
    run: async (serve) => {
      const { url } = await serve({ status: 204 });
      const error = await failsBy(createClient({ baseUrl: url }).post('/', new Blob(['text']).stream()), isNetworkError);
      holds(/HTTP\/2|HTTP\/1/.test(error.message), error.message);
    },
  },
  {
    name: 'uploads by XMLHttpRequest tell their progress, and are retried',
    run: async (serve) => {
      const { url, log } = await serve({ status: 503, readRate: 24_000_000 }, { json: 1 });
      const http = createClient({ baseUrl: url, transport: xhr() });
      const events = await valuesOf(http.put('/', new Blob([new Uint8Array(48_000_000)]), { observe: 'events' }));
      const first = events.flatMap((event) => (event.type === 'upload' && event.attempt === 1 ? [event.loaded] : []));
      holds(first.length >= 2 && first.at(-1) === 48_000_000, first);
      same(
        (await log()).requests.map(({ bytes }) => bytes),
        [48_000_000, 48_000_000],
      );
    },
  },
  {
    name: 'XMLHttpRequest ends when nobody listens any more',
    run: async (serve) => {
      const { url, logWhen } = await serve({ missing: 'answer' });
      const subscription = createClient({ baseUrl: url, transport: xhr() }).get('/').subscribe();
      await logWhen(({ requests }) => requests.length === 1);
      subscription.unsubscribe();
      await logWhen(({ requests: [first] }) => first?.abandoned === true);
    },
  },
];
