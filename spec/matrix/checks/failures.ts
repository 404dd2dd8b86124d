import {
  createClient,
  isBodyError,
  isDeadlineError,
  isHttpError,
  isNetworkError,
  isTimeoutError,
  isUsageError,
  retryReport,
} from 'coldfetch';
import { lastValueFrom } from 'rxjs';
import { errorOf, failsBy, holds, same } from './assert.js';
import type { Check } from './Check.js';

/** Port on which nobody listens, and which browsers do not refuse by themselves. */
const NOBODY = 'http://127.0.0.1:2';
const QUICK = { retry: { retries: 1 } };

/** Failures, told by their meaning. */
export const failures: readonly Check[] = [
  {
    name: 'an error status is an HttpError with its body',
    run: async (serve) => {
      const { url } = await serve({ status: 404, json: { reason: 'gone' } });
      const error = await failsBy(createClient({ baseUrl: url }).get('/'), isHttpError);
      same([error.status, error.body], [404, { reason: 'gone' }]);
    },
  },
  {
    name: 'a body that is not JSON is a BodyError',
    run: async (serve) => {
      const { url, log } = await serve({ text: '<html>' });
      await failsBy(createClient({ baseUrl: url }).get('/'), isBodyError);
      same((await log()).requests.length, 1);
    },
  },
  {
    name: 'a header field that cannot be sent is a UsageError',
    run: async (serve) => {
      const { url, log } = await serve({});
      const http = createClient({ baseUrl: url });
      for (const headers of [{ 'x-a': 'two\nlines' }, { 'no name': '1' }, { 'x-a': 'Привет' }])
        await failsBy(http.get('/', { headers }), isUsageError);
      same((await log()).requests.length, 0);
    },
  },
  {
    name: 'a URL that is none, and a GET with a body, are UsageErrors',
    run: async (serve) => {
      const { url, log } = await serve({});
      await failsBy(createClient().get('http://'), isUsageError);
      await failsBy(createClient({ baseUrl: url }).request('GET', '/', { body: 'text' }), isUsageError);
      same((await log()).requests.length, 0);
    },
  },
  {
    name: 'a refused connection is a NetworkError, tried as often as the policy says',
    run: async () => {
      const error = await failsBy(createClient({ baseUrl: NOBODY, ...QUICK }).get('/'), isNetworkError);
      same([retryReport(error)?.attempts, retryReport(error)?.reason], [2, 'exhausted']);
    },
  },
  {
    name: 'a name that does not exist is a NetworkError',
    run: async () => {
      await failsBy(createClient({ baseUrl: 'http://nobody.invalid', ...QUICK }).get('/'), isNetworkError);
    },
  },
  {
    name: 'a scheme that does not exist is tried once',
    run: async () => {
      const error = await errorOf(createClient().get('gopher://127.0.0.1/'));
      holds(isNetworkError(error) || isUsageError(error), error);
      holds((retryReport(error)?.attempts ?? 1) === 1, retryReport(error));
    },
  },
  {
    name: 'a connection that breaks before the answer is tried again',
    run: async (serve) => {
      const { url } = await serve({ reset: 'before' }, { json: 1 });
      same(await lastValueFrom(createClient({ baseUrl: url }).get('/')), 1);
    },
  },
  {
    name: 'a body that breaks off is tried again',
    run: async (serve) => {
      const { url, log } = await serve({ text: '[1,', reset: 'behind' }, { chunks: ['[1,'], reset: 'behind' }, { json: [1] });
      same(await lastValueFrom(createClient({ baseUrl: url }).get('/')), [1]);
      same((await log()).requests.length, 3);
    },
  },
  {
    name: 'a body that breaks off for good is a NetworkError',
    run: async (serve) => {
      const { url } = await serve({ text: '[1,', reset: 'behind' });
      await failsBy(createClient({ baseUrl: url, retry: false }).get('/'), isNetworkError);
    },
  },
  {
    name: 'an answer that does not come is a TimeoutError',
    run: async (serve) => {
      const { url, logWhen } = await serve({ missing: 'answer' });
      await failsBy(createClient({ baseUrl: url, timeout: 300, retry: false }).get('/'), isTimeoutError);
      await logWhen(({ requests: [first] }) => first?.abandoned === true);
    },
  },
  {
    name: 'a body that stalls is a TimeoutError, one that is slow is not',
    run: async (serve) => {
      const stalls = await serve({ chunks: ['['], missing: 'end' });
      await failsBy(createClient({ baseUrl: stalls.url, timeout: 300, retry: false }).get('/'), isTimeoutError);
      const slow = await serve({ chunks: ['[', ...Array.from({ length: 60 }, () => ' '), ']'] });
      same(await lastValueFrom(createClient({ baseUrl: slow.url, timeout: 1500, retry: false }).get('/')), []);
    },
  },
  {
    name: 'a deadline ends an operation that only waits for its answer',
    run: async (serve) => {
      const { url } = await serve({ missing: 'answer' });
      await failsBy(createClient({ baseUrl: url, deadline: 300 }).get('/'), isDeadlineError);
    },
  },
  {
    name: 'a wait that does not fit into the deadline is not begun',
    run: async (serve) => {
      const { url, log } = await serve({ status: 429, headers: { 'retry-after': '30' } });
      const error = await failsBy(createClient({ baseUrl: url, deadline: 2000 }).get('/'), isHttpError);
      same([retryReport(error)?.reason, (await log()).requests.length], ['deadline', 1]);
    },
  },
  {
    name: 'a body that is too large is refused',
    run: async (serve) => {
      const { url } = await serve({ text: 'x'.repeat(5000) });
      await failsBy(createClient({ baseUrl: url, maxBytes: 1000 }).get('/', { responseType: 'text' }), isBodyError);
    },
  },
  {
    name: 'a body that does not match its schema is a BodyError with the issues',
    run: async (serve) => {
      const { url } = await serve({ json: { id: '1' } });
      const issue = { message: 'no number', path: ['id'] };
      const schema = { '~standard': { version: 1, vendor: 'own', validate: () => ({ issues: [issue] }) } } as const;
      const error = await failsBy(createClient({ baseUrl: url }).get('/', { schema }), isBodyError);
      same(error.issues, [issue]);
    },
  },
  {
    name: 'a redirect is followed, and refused where it shall be',
    run: async (serve) => {
      const { url } = await serve({ status: 302, headers: { location: '?again' } }, { json: 1 });
      same(await lastValueFrom(createClient({ baseUrl: url }).get('/')), 1);
      const refused = await serve({ status: 302, headers: { location: '?again' } });
      const error = await failsBy(createClient({ baseUrl: refused.url, fetchOptions: { redirect: 'error' } }).get('/'), isNetworkError);
      same([error.code, (await refused.log()).requests.length], ['ERR_REDIRECT_REFUSED', 1]);
    },
  },
  {
    name: 'redirects without end are a NetworkError, tried once',
    run: async (serve) => {
      const { url } = await serve({ status: 302, headers: { location: '?again' } });
      await failsBy(createClient({ baseUrl: url, retry: { retries: 0 } }).get('/'), isNetworkError);
    },
  },
];
