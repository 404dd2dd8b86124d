/**
 * A year of daily data is 365 calls, and then those that list the days: pagination, a limiter, retry, a cache and a recorder together.
 *
 * - Killed halfway it continues: what has been read is in the cache.
 * - A second run asks only whether what is stale has changed.
 * - Every answer is in the folder `raw`, to be read, and to be replayed.
 *
 * Run by itself it reads from a server of its own that fails now and then, twice, and reports:
 *
 *     npm run build && node --import ./spec/support/typescript.mjs spec/examples/dailyReads.ts [URL FOLDER]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  allOf,
  type CacheStore,
  concurrency,
  createClient,
  type FetchLike,
  fullJitter,
  type Limiter,
  linkPages,
  type Metrics,
  metrics,
  pacer,
  policies,
  type RetryPolicy,
  tokenBucket,
  httpCache,
} from 'coldfetch';
import { fileCache, recorder } from 'coldfetch/node';
import { startServer } from 'coldfetch/server';
import { lastValueFrom, mergeMap, type Observable, tap, toArray } from 'rxjs';

/** One day's data. */
export interface Day {
  readonly date: string;
  readonly mean: number;
  readonly hours: readonly number[];
}

/** Options of {@link dailyReads}. */
export interface DailyReadsOptions {
  readonly url: string;
  /** Folder in which responses are kept, and raw ones written. */
  readonly store: CacheStore;
  readonly fetch?: FetchLike;
  /** For how long a day is taken as it is before the server is asked again, in seconds. */
  readonly maxAge?: number;
  readonly retry?: RetryPolicy;
  readonly limiter?: Limiter;
  readonly counts?: Metrics;
}

/** Number of days that are read at once, and of those that may follow each other in a second. */
const AT_ONCE = 8;
const PER_SECOND = 2_000;
/** Time for which the list of days is taken as it is, in ms. */
const LIST_LIFETIME = 3_600_000;
/** Milliseconds that the disk has for each answer: a busy one is waited for, as what it does not keep is read again. */
const STORE_TIMEOUT = 60_000;

/** The days of 2025, as they arrive. */
export function dailyReads({ url, store, fetch, maxAge = 86_400, ...more }: DailyReadsOptions): Observable<Day> {
  const { retry = steadfast(1_000), limiter = politely(), counts = metrics() } = more;
  const http = createClient({
    baseUrl: url,
    fetch,
    retry,
    pace: limiter,
    cache: httpCache({
      store,
      storeTimeout: STORE_TIMEOUT,
      ttl: (request) => (request.url.includes('/mock/items') ? LIST_LIFETIME : undefined),
    }),
    interceptors: [counts.interceptor],
  });
  return linkPages<Numbered, NumberedPage>(http, '/mock/items?total=365&size=50', { items: ({ items }) => items }).pipe(
    mergeMap(({ id }) => http.get<Day>(`/mock/daily/${dateOf(id)}`, { params: { maxAge } }), AT_ONCE),
  );
}

/**
 * `patient` gives up on a call after three failures. Where 15 calls in 100 fail that is one in 2,000, and one in six of such years would be
 * incomplete; after eight it is one in 70,000 years.
 *
 * @param base of the backoff, in ms
 */
export function steadfast(base: number): RetryPolicy {
  const { throttled, transient } = policies.patient.rules;
  const backoff = fullJitter({ base, cap: 60 * base });
  return { ...policies.patient, rules: { throttled: { ...throttled, backoff }, transient: { ...transient, backoff, retries: 8 } } };
}

interface Numbered {
  readonly id: number;
}

interface NumberedPage {
  readonly items: readonly Numbered[];
}

/** At most so many at once, so many in a second, and never before the server has said that it may be. */
function politely(): Limiter {
  return allOf(concurrency(AT_ONCE), tokenBucket({ rate: PER_SECOND, burst: AT_ONCE }), pacer());
}

/** The date of a day of 2025, the first of January being 1. */
function dateOf(day: number): string {
  return new Date(Date.UTC(2025, 0, day)).toISOString().slice(0, 10);
}

/** Reads into a folder; prints each date as it arrives. The server is a near one: a failure is not worth a long wait. */
async function readInto(folder: string, url: string, counts = metrics()): Promise<readonly Day[]> {
  const store = fileCache(join(folder, 'cache'));
  const days$ = dailyReads({ url, store, fetch: recorder(join(folder, 'raw')), retry: steadfast(20), counts });
  return lastValueFrom(
    days$.pipe(
      tap(({ date }) => console.log(date)),
      toArray(),
    ),
  );
}

async function main(url: string | undefined, folder: string | undefined): Promise<void> {
  if (url !== undefined && folder !== undefined) {
    await readInto(folder, url);
    return;
  }
  const server = await startServer({ flaky: { routes: '/mock/*', failures: 1 } });
  const own = await mkdtemp(join(tmpdir(), 'coldfetch-daily-'));
  try {
    const runs: string[] = [];
    for (const name of ['first', 'second']) {
      const before = server.counts.total;
      const began = performance.now();
      const counts = metrics();
      const days = await readInto(own, server.url, counts);
      const retries = Object.values(counts.snapshot().retries).reduce((sum, count) => sum + count, 0);
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      runs.push(`${name} run: ${days.length} days, ${server.counts.total - before} requests, ${retries} of them retries, ${seconds} s`);
    }
    console.log(runs.join('\n'));
  } finally {
    await server.close();
    await rm(own, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv[2], process.argv[3]);
