import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type CacheStore, type FetchLike, memoryCache, metrics } from 'coldfetch';
import { fileCache, recorder } from 'coldfetch/node';
import { type ServerOptions, startServer } from 'coldfetch/server';
import { reply } from 'coldfetch/testing';
import { concatMap, defer, lastValueFrom, NEVER, type Observable, of, take, throwError, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seeded } from '../../src/simulate/seeded.js';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { wait } from '../../src/time.js';
import { folderOf } from '../node/support.js';
import { dailyReads, type Day, steadfast } from './dailyReads.js';

const YEAR = Array.from({ length: 365 }, (_, day) => new Date(Date.UTC(2025, 0, day + 1)).toISOString().slice(0, 10));
const root = fileURLToPath(new URL('../..', import.meta.url));

const datesOf = (days: readonly Day[]): string[] => days.map(({ date }) => date).sort();

async function serve(options?: ServerOptions) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

describe('365 daily reads', () => {
  const flaky = { routes: '/mock/*', failures: 1 };
  const retry = steadfast(5);

  it('arrive from a flaky server; the next run makes the revalidations and no request more; the recordings give them all again', async () => {
    const server = await serve({ flaky });
    const folder = await folderOf();
    const read = async (fetch: FetchLike, store: CacheStore) => {
      const before = server.counts.total;
      const counts = metrics();
      const dates = datesOf(await lastValueFrom(dailyReads({ url: server.url, store, fetch, maxAge: 0, retry, counts }).pipe(toArray())));
      const retries = Object.values(counts.snapshot().retries).reduce((sum, count) => sum + count, 0);
      return { dates, requests: server.counts.total - before, retries };
    };
    const record = recorder(`${folder}/raw`);
    // 365 days and 8 pages that list them, each failing once.
    expect(await read(record, fileCache(`${folder}/cache`))).toEqual({ dates: YEAR, requests: 746, retries: 373 });
    // A day is stale at once, the list is not.
    expect(await read(record, fileCache(`${folder}/cache`))).toEqual({ dates: YEAR, requests: 365, retries: 0 });
    expect(server.counts.byStatus).toEqual({ 200: 373, 304: 365, 503: 373 });

    const replay = recorder(`${folder}/raw`, { mode: 'replay' });
    expect(await read(replay, memoryCache())).toEqual({ dates: YEAR, requests: 0, retries: 0 });
  });

  it('go on after the process was killed halfway, and are not asked for again while they are fresh', async () => {
    const server = await serve({ flaky });
    const folder = await folderOf();
    const before = await readUntilKilled(server.url, folder, 150);
    expect(before.length).toBeGreaterThanOrEqual(150);
    expect(server.counts.byStatus[200]).toBeLessThan(373);

    const read = () => {
      const days$ = dailyReads({ url: server.url, store: fileCache(`${folder}/cache`), fetch: recorder(`${folder}/raw`), retry });
      return lastValueFrom(days$.pipe(toArray()));
    };
    expect(datesOf(await read())).toEqual(YEAR);
    // Requests in flight when the process died are sent twice, no others.
    const seen = server.requests.filter(({ status, url }) => status === 200 && url.includes('/daily/')).map(({ url }) => url);
    expect(seen.length - new Set(seen).size).toBeLessThanOrEqual(8);
    const { total } = server.counts;
    expect(datesOf(await read())).toEqual(YEAR);
    expect(server.counts.total).toBe(total);
  });

  it('are complete in 20 of 20 runs with random faults, each stopped somewhere and begun again', () => {
    const runs = Array.from({ length: 20 }, (_, seed) => runWithFaults(seed));
    expect(runs.map(({ failure }) => failure).filter((failure) => failure !== undefined)).toEqual([]);
    expect(runs.filter(({ dates }) => String(dates) !== String(YEAR))).toEqual([]);
    // None of what had arrived is asked for again.
    expect(runs.map(({ readTwice }) => readTwice)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(runs.every(({ faults }) => faults > 20)).toBe(true);
  });
});

/** Runs the example in a process of its own until it has printed so many days, then kills it. */
async function readUntilKilled(url: string, folder: string, days: number): Promise<readonly string[]> {
  const loaders = ['--import', './spec/support/typescript.mjs', '--import', './spec/support/fromSource.mjs'];
  const child = spawn(process.execPath, [...loaders, 'spec/examples/dailyReads.ts', url, folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const printed: string[] = [];
  for await (const line of createInterface(child.stdout)) if (printed.push(line) === days) child.kill('SIGKILL');
  await closed;
  expect(child.signalCode).toBe('SIGKILL');
  return printed;
}

/** Reads in virtual time until a random day has arrived, then reads all with the same cache. */
function runWithFaults(seed: number): { dates: string[]; readTwice: number; faults: number; failure: unknown } {
  const random = seeded(seed);
  const server = faultyServer(random);
  const common = { url: 'https://api.example.com', store: memoryCache(), fetch: server.fetch, retry: { ...steadfast(1_000), random } };
  const begun: Day[] = [];
  const days: Day[] = [];
  let readTwice = 0;
  let failure: unknown;
  virtualTime(() => {
    dailyReads(common)
      .pipe(take(1 + Math.floor(random() * 364)))
      .subscribe({
        next: (day) => begun.push(day),
        complete: () => {
          const had = new Set(begun.map(({ date }) => date));
          server.asked.length = 0;
          dailyReads(common).subscribe({
            next: (day) => days.push(day),
            complete: () => (readTwice = server.asked.filter((date) => had.has(date)).length),
            error: (error: unknown) => (failure = error),
          });
        },
        error: (error: unknown) => (failure = error),
      });
  });
  return { dates: datesOf(days), readTwice, faults: server.faults.length, failure };
}

/** A server in virtual time of which 15 answers in 100 fail, in every way there is. */
function faultyServer(random: () => number) {
  const asked: string[] = [];
  const faults: string[] = [];
  const fault = (name: string, answer$: Observable<Response>): Observable<Response> => {
    faults.push(name);
    return answer$;
  };
  const lost = (): TypeError => new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
  const answer = (url: URL): Observable<Response> => {
    const draw = random();
    if (draw < 0.04) return fault('lost', throwError(lost));
    if (draw < 0.08) return fault('503', of(reply(503)));
    if (draw < 0.1) return fault('429', of(reply(429, { headers: { 'retry-after': '2' } })));
    if (draw < 0.14) return fault('broken body', of(reply(200, { chunks: 'a 5ms #', values: { a: '{"da' } })));
    if (draw < 0.15) return fault('hang', NEVER);
    if (url.pathname === '/mock/items') return of(page(url));
    const date = url.pathname.slice('/mock/daily/'.length);
    return of(reply(200, { json: { date, mean: 1, hours: [] }, headers: { 'cache-control': 'max-age=86400' } }));
  };
  const fetch: FetchLike = (input) =>
    defer(() => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.pathname.startsWith('/mock/daily/')) asked.push(url.pathname.slice('/mock/daily/'.length));
      return wait(10).pipe(concatMap(() => answer(url)));
    });
  return { fetch, asked, faults };
}

function page(url: URL): Response {
  const number = Number(url.searchParams.get('page') ?? 1);
  const size = Number(url.searchParams.get('size'));
  const total = Number(url.searchParams.get('total'));
  const first = (number - 1) * size;
  const items = Array.from({ length: Math.min(size, total - first) }, (_, index) => ({ id: first + index + 1 }));
  url.searchParams.set('page', String(number + 1));
  return reply(200, { json: { items }, headers: first + size < total ? { link: `<${url.href}>; rel="next"` } : {} });
}
