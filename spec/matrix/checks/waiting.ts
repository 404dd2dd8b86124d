import {
  allOf,
  circuitBreaker,
  coldFetch,
  concurrency,
  createClient,
  isHttpError,
  isLimiterError,
  limitWith,
  policies,
  retryAfter,
  retryReport,
  tokenBucket,
  unauthorized,
} from 'coldfetch';
import { defer, forkJoin, lastValueFrom, Subject } from 'rxjs';
import { errorOf, failsBy, holds, same, valuesOf } from './assert.js';
import type { Check } from './Check.js';

const BUSY = { status: 429, headers: { 'retry-after': '1' } };

/** Retries, waits and pacing. */
export const waiting: readonly Check[] = [
  {
    name: 'a 429 is waited out as its Retry-After says',
    run: async (serve) => {
      const { url, log } = await serve(BUSY, { json: 1 });
      same(await lastValueFrom(createClient({ baseUrl: url }).get('/')), 1);
      const [first, second] = (await log()).requests;
      const waited = (second?.at ?? 0) - (first?.at ?? 0);
      holds(waited >= 950 && waited < 5000, waited);
    },
  },
  {
    name: 'a wait is told before it begins, with its delay and where it came from',
    run: async (serve) => {
      const { url } = await serve(BUSY, { json: 1 });
      const events = await valuesOf(createClient({ baseUrl: url }).get('/', { observe: 'events' }));
      const wait = events.find((event) => event.type === 'wait');
      same([wait?.source, wait?.status], ['retryAfter', 429]);
      holds(wait !== undefined && Number.isInteger(wait.delay) && wait.delay > 0 && wait.delay <= 1000, wait?.delay);
    },
  },
  {
    name: 'a 503 is retried, and the last failure is the outcome',
    run: async (serve) => {
      const { url, log } = await serve({ status: 503, text: 'down' });
      const error = await failsBy(createClient({ baseUrl: url, retry: { retries: 1 } }).get('/'), isHttpError);
      same([error.status, error.body, retryReport(error)?.attempts, (await log()).requests.length], [503, 'down', 2, 2]);
    },
  },
  {
    name: 'a POST is not sent twice, unless it has an idempotency key',
    run: async (serve) => {
      const { url, log } = await serve({ status: 503 });
      await failsBy(createClient({ baseUrl: url }).post('/', 1), isHttpError);
      same((await log()).requests.length, 1);
      const keyed = await serve({ status: 503 }, { json: 1 });
      await lastValueFrom(createClient({ baseUrl: keyed.url, idempotency: true }).post('/', 1));
      const keys = (await keyed.log()).requests.map(({ headers }) => headers['idempotency-key']);
      same([keys.length, typeof keys[0], keys[0] === keys[1]], [2, 'string', true]);
    },
  },
  {
    name: 'a token is renewed after a 401',
    run: async (serve) => {
      const { url, log } = await serve({ status: 401 }, { json: 1 });
      let token = 'old';
      const http = createClient({
        baseUrl: url,
        headers: () => ({ 'x-token': token }),
        retry: { ...policies.standard, rules: { unauthorized, ...policies.standard.rules } },
        beforeRetry: () => {
          token = 'new';
        },
      });
      same(await lastValueFrom(http.get('/')), 1);
      same(
        (await log()).requests.map(({ headers }) => headers['x-token']),
        ['old', 'new'],
      );
    },
  },
  {
    name: 'unsubscribing ends a wait',
    run: async (serve) => {
      const { url, log } = await serve(BUSY, { json: 1 });
      await new Promise<void>((resolve) => {
        const subscription = createClient({ baseUrl: url })
          .get('/', { observe: 'events' })
          .subscribe((event) => {
            if (event.type !== 'wait') return;
            resolve();
            setTimeout(() => subscription.unsubscribe());
          });
      });
      await new Promise((resolve) => setTimeout(resolve, 1300));
      same((await log()).requests.length, 1);
    },
  },
  {
    name: "a signal ends a wait with the signal's own reason",
    run: async (serve) => {
      const { url } = await serve({ status: 429, headers: { 'retry-after': '15' } });
      const leaving = new AbortController();
      const reason = new Error('the user left');
      const notify = (): void => leaving.abort(reason);
      const error = await errorOf(createClient({ baseUrl: url, retry: { notify } }).get('/', { signal: leaving.signal }));
      holds(error === reason, error);
    },
  },
  {
    name: 'abort$ completes',
    run: async (serve) => {
      const { url, logWhen } = await serve({ missing: 'answer' });
      const abort$ = new Subject<void>();
      const values = valuesOf(createClient({ baseUrl: url }).get('/', { abort$ }));
      await logWhen(({ requests: { length } }) => length === 1);
      abort$.next();
      same(await values, []);
    },
  },
  {
    name: 'retryAfter retries a plain fetch',
    run: async (serve) => {
      const { url, log } = await serve(BUSY, { json: 1 });
      const fetched$ = defer(async () => {
        const response = await fetch(url);
        if (!response.ok) throw Object.assign(new Error('failed'), { status: response.status, headers: response.headers });
        return response.status;
      });
      same(await lastValueFrom(fetched$.pipe(retryAfter(policies.api))), 200);
      same((await log()).requests.length, 2);
    },
  },
  {
    name: 'one 429 holds the requests behind it',
    run: async (serve) => {
      const { url, log } = await serve(BUSY, { json: 1 });
      const http = createClient({ baseUrl: url });
      const second: Promise<unknown>[] = [];
      const notify = (): void => void second.push(lastValueFrom(http.get('/')));
      same([await lastValueFrom(http.get('/', { retry: { notify } })), ...(await Promise.all(second))], [1, 1]);
      const { requests } = await log();
      holds(requests.length === 3 && (requests[1]?.at ?? 0) >= 950, requests);
    },
  },
  {
    name: 'the first six requests of a client go at once',
    run: async (serve) => {
      const { url, log } = await serve({ after: 400, json: 1 });
      const http = createClient({ baseUrl: url });
      // Browsers send requests of one URL one by one, and open six connections to a host, of which other checks use some.
      await lastValueFrom(forkJoin([1, 2, 3, 4, 5, 6].map((n) => http.get(`/${n}`))));
      holds((await log()).most >= 3, await log());
    },
  },
  {
    name: 'a limit of requests in flight holds',
    run: async (serve) => {
      const { url, log } = await serve({ after: 50, json: 1 });
      const http = createClient({ baseUrl: url, pace: concurrency(2) });
      await lastValueFrom(forkJoin(Array.from({ length: 6 }, () => http.get('/'))));
      same([(await log()).requests.length, (await log()).most <= 2], [6, true]);
    },
  },
  {
    name: 'a quota that is used up is waited for without a 429',
    run: async (serve) => {
      const { url, log } = await serve(
        { json: 1, headers: { ratelimit: '"default";r=0;t=1', 'ratelimit-policy': '"default";q=10;w=10' } },
        { json: 2 },
      );
      const http = createClient({ baseUrl: url });
      await lastValueFrom(http.get('/'));
      await lastValueFrom(http.get('/'));
      const [first, second] = (await log()).requests;
      holds((second?.at ?? 0) - (first?.at ?? 0) >= 900, await log());
    },
  },
  {
    name: 'a full queue refuses',
    run: async (serve) => {
      const { url } = await serve({ after: 200, json: 1 });
      const http = createClient({ baseUrl: url, pace: { limiter: concurrency(1), maxQueued: 1 } });
      const first = lastValueFrom(http.get('/'));
      const second = lastValueFrom(http.get('/'));
      await failsBy(http.get('/'), isLimiterError);
      same(await Promise.all([first, second]), [1, 1]);
    },
  },
  {
    name: 'limiters are joined, and work without a client',
    run: async (serve) => {
      const { url, log } = await serve({ json: 1 });
      const limiter = allOf(concurrency(2), tokenBucket({ rate: 20, per: 1000, burst: 2 }), circuitBreaker());
      await lastValueFrom(forkJoin([1, 2, 3, 4].map(() => coldFetch(url).pipe(limitWith(limiter, { url })))));
      const { requests } = await log();
      holds(requests.length === 4 && (requests[3]?.at ?? 0) >= 80, requests);
    },
  },
  {
    name: 'a hook that throws ends the operation by its error',
    run: async (serve) => {
      const { url } = await serve({ status: 503 }, { json: 1 });
      const error = new Error('from the hook');
      const beforeRetry = (): never => {
        throw error;
      };
      const seen = await errorOf(createClient({ baseUrl: url, retry: { retries: 1 }, beforeRetry }).get('/'));
      holds(seen === error, seen);
    },
  },
];
