import {
  catchError,
  defer,
  delay,
  EMPTY,
  interval,
  merge,
  mergeMap,
  NEVER,
  of,
  repeat,
  take,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { policies, retryReport } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { acquire } from '../../src/pace/acquire.js';
import type { Limiter, Outcome, ResponseOutcome } from '../../src/pace/Limiter.js';
import type { PaceOptions } from '../../src/operation/retryAndPace.js';
import { pacer, type PacerOptions } from '../../src/pace/pacer.js';
import type { FetchLike } from '../../src/request/FetchLike.js';
import type { HttpEvent } from '../../src/request/HttpEvent.js';
import { HttpRequest } from '../../src/request/HttpRequest.js';
import type { RetryOptions } from '../../src/retry/RetryPolicy.js';
import { answering, fine, pipeline, tooMany } from '../support/pipeline.js';

const URL = 'https://api.test/files';
const fixed = (options: PacerOptions = {}): Limiter => pacer({ random: () => 0, ...options });
const requests = (count: number, url = URL, init = {}) => Array.from({ length: count }, () => new HttpRequest('PUT', url, init));

/** Plays requests that begin together; gives when each arrived, and what they ended with. */
function play(
  all: readonly HttpRequest[],
  server: ReturnType<typeof answering>,
  limiter = fixed(),
  policy: RetryOptions | false = {},
  options: PaceOptions = {},
): { at: number[]; errors: unknown[]; events: HttpEvent[] } {
  const errors: unknown[] = [];
  const events: HttpEvent[] = [];
  marbles(({ flush }) => {
    const send = pipeline(server, limiter, policy, options);
    merge(...all.map((request) => send(request).pipe(catchError((error: unknown) => (errors.push(error), EMPTY))))).subscribe((event) =>
      events.push(event),
    );
    flush();
    expect(server.at.length).toBeGreaterThan(0);
  });
  return { at: server.at, errors, events };
}

describe('the gate of a pacer', () => {
  it('holds 49 siblings back when the first of 50 is told to wait 5 s', () => {
    const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '5' }) : fine()));
    const { at, errors } = play(requests(50), server);
    expect(at.slice(0, 2)).toEqual([0, 5010]);
    expect(at).toHaveLength(51);
    expect(errors).toEqual([]);
  });

  it('opens by one request, then by twice as many each round trip', () => {
    const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '5' }) : fine()));
    const { at } = play(requests(12), server);
    expect(at.slice(1)).toEqual([5010, 5020, 5020, ...Array<number>(4).fill(5030), ...Array<number>(5).fill(5040)]);
  });

  it('sends one request at 240 s, though an attempt may take but 30 s', () => {
    const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '240' }) : fine()));
    const { at, errors } = play(requests(1), server, fixed(), { ...policies.patient, timeout: 30_000, random: () => 0 });
    expect([at, errors]).toEqual([[0, 240_010], []]);
  });

  it('is only ever raised by a later 429', () => {
    const server = answering((n) => (n > 8 ? fine() : tooMany({ 'retry-after': n === 4 ? '9' : '1' })));
    let latest = 0;
    const limiter = fixed();
    marbles(({ flush }) => {
      // Eight are on their way when the first answer comes.
      const permits: { settle(outcome: { status: number; headers: Headers }): unknown }[] = [];
      for (let i = 0; i < 8; i++) permits.push(limiter.take({ url: URL }));
      permits.forEach((permit, i) => permit.settle({ status: 429, headers: new Headers({ 'retry-after': i === 3 ? '9' : '1' }) }));
      latest = limiter.check({ url: URL });
      flush();
      expect(latest).toBe(9000);
    });
    expect(server.at).toEqual([]);
  });

  it('waits 1, 2, 4 s with jitter where the server does not say how long, at most 60 s', () => {
    marbles(({ flush }) => {
      const limiter = pacer({ random: () => 1 - Number.EPSILON });
      const waits: number[] = [];
      const refusedAgain$ = acquire(limiter, { url: URL }).pipe(
        take(1),
        tap((permit) => {
          permit.settle({ status: 429 });
          waits.push(Math.round(limiter.check({ url: URL })));
        }),
      );
      refusedAgain$.pipe(repeat(9)).subscribe();
      flush();
      expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    });
  });

  it('believes a zero once: a second one in a row is waited out like a missing hint', () => {
    const server = answering((n) => (n <= 2 ? tooMany({ 'retry-after': '0' }) : fine()));
    expect(play(requests(1), server, fixed(), { ...policies.upload, random: () => 0 }).at).toEqual([0, 10, 2020]);
  });

  it('fails asks without a policy when the server asks for more than maxHint, that 429 the cause', () => {
    const server = answering(() => tooMany({ 'retry-after': '86399' }));
    const { at, errors } = play(requests(20), server, fixed(), false);
    expect(at).toEqual([0]);
    const refused = { name: 'LimiterError', reason: 'max-hint', cause: expect.objectContaining({ status: 429 }) as unknown };
    expect(errors).toMatchObject([...Array<object>(19).fill(refused), { name: 'HttpError', status: 429 }]);
  });

  it('survives 600 policies in one header', () => {
    const ratelimit = Array.from({ length: 600 }, (_, i) => `"p${i}"; r=5; t=60`).join(', ');
    const { at, errors } = play(
      requests(30),
      answering(() => fine({ ratelimit })),
    );
    expect([at.length, errors]).toEqual([30, []]);
  });

  it('keeps origins, credentials and policies apart', () => {
    const limiter = fixed();
    const closed = limiter.take({ url: URL, credential: 'a' });
    closed.settle({ status: 429, headers: new Headers({ 'retry-after': '5' }) });
    expect(limiter.check({ url: URL, credential: 'a' })).toBeGreaterThan(4900);
    expect(limiter.check({ url: URL, credential: 'b' })).toBe(0);
    expect(limiter.check({ url: 'https://other.test', credential: 'a' })).toBe(0);
    expect(limiter.check({ url: URL, credential: 'a', policyName: 'search' })).toBe(0);
  });

  it('hands the turn of an opening request that dies to the next', () => {
    const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '5' }) : n === 2 ? NEVER : fine()));
    const { at } = play(requests(2), server, fixed(), { timeout: 500 });
    expect(at.slice(0, 3)).toEqual([0, 5010, 5510]);
  });

  it('gives an opening request that stays unanswered for a second company', () => {
    const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '5' }) : n === 2 ? NEVER : fine()));
    const { at } = play(requests(3), server, fixed(), { timeout: 3000 });
    expect(at.slice(0, 3)).toEqual([0, 5010, 6010]);
  });

  it('does not count a refused probe where others have used up the announced quota before it', () => {
    const server = answering((n) => (n <= 12 ? tooMany({ 'retry-after': '1', ratelimit: '"w"; r=0; t=1' }) : fine()));
    const { at, errors } = play(requests(1), server);
    expect([at.length, errors]).toEqual([13, []]);
  });
});

describe('a pacer where nothing limits the rate', () => {
  it('holds siblings until the first answer, and none from then on', () => {
    const { at } = play(
      requests(20),
      answering(() => fine(), 300),
    );
    expect(at).toEqual([0, ...Array<number>(19).fill(300)]);
    const limiter = fixed();
    play(
      requests(1),
      answering(() => fine(), 300),
      limiter,
    );
    const later = answering(() => fine(), 300);
    play(requests(20), later, limiter);
    expect(later.at).toEqual(Array<number>(20).fill(0));
  });

  it('holds nobody for longer than a second, though no answer comes', () => {
    const silent = answering(() => NEVER);
    const { at } = play(requests(20), silent, fixed(), { timeout: 60_000, rules: {} });
    expect(at).toEqual([0, ...Array<number>(19).fill(1000)]);
  });

  it('holds nobody back for a long poll or a stream, before the first answer or later', () => {
    const limiter = fixed();
    const polls = answering((n) => (n % 3 === 1 ? NEVER : fine()), 300);
    const { at } = play(requests(6), polls, limiter, { timeout: 60_000, rules: {} });
    expect(at).toEqual([0, ...Array<number>(5).fill(1000)]);
    play(requests(6), polls, limiter, { timeout: 60_000, rules: {} });
    expect(polls.at.slice(6)).toEqual(Array<number>(6).fill(0));
  });

  it('hands the turn on at once when the first request is aborted or fails without an answer', () => {
    const dies = answering((n) => (n === 1 ? timer(40).pipe(mergeMap(() => throwError(() => new TypeError('fetch failed')))) : fine()));
    expect(play(requests(3), dies, fixed(), { rules: {} }).at).toEqual([0, 40, 50]);
    marbles(({ flush }) => {
      const server = answering((n) => (n === 1 ? NEVER : fine()));
      const send = pipeline(server, fixed());
      const [first, ...others] = requests(3);
      if (first)
        send(first)
          .pipe(takeUntil(timer(40)))
          .subscribe();
      for (const other of others) send(other).subscribe();
      flush();
      expect(server.at).toEqual([0, 40, 50]);
    });
  });

  it('lets a request have five 429s under the standard policy, if others open the gate each time', () => {
    let rejected = 0;
    let failure: unknown;
    marbles(({ flush }) => {
      const server: FetchLike = (input) =>
        defer(() => {
          const bad = new Request(input).url.endsWith('bad');
          if (bad) rejected++;
          return of(bad ? tooMany({ 'retry-after': '1' }) : fine()).pipe(delay(10));
        });
      const send = pipeline(server, fixed());
      // The request with fewer 429s goes first, and opens the gate.
      interval(500)
        .pipe(
          take(30),
          mergeMap(() => send(new HttpRequest('GET', URL))),
        )
        .subscribe();
      timer(600)
        .pipe(mergeMap(() => send(new HttpRequest('GET', `${URL}/bad`))))
        .subscribe({ error: (error: unknown) => (failure = error) });
      flush();
      expect(rejected).toBe(6);
      expect(failure).toMatchObject({ name: 'HttpError', status: 429 });
      expect(retryReport(failure)).toMatchObject({ reason: 'exhausted', attempts: 6 });
    });
  });
});

describe('the windows of a pacer', () => {
  const window = (limit: number, ms: number) => {
    let ends = 0;
    let hits = 0;
    return (now: number): Response => {
      if (now >= ends) [ends, hits] = [now + ms, 0];
      hits++;
      const left = {
        ratelimit: `"w"; r=${Math.max(0, limit - hits)}; t=${Math.ceil((ends - now) / 1000)}`,
        'ratelimit-policy': `"w"; q=${limit}; w=${ms / 1000}`,
      };
      return hits > limit ? tooMany(left) : fine(left);
    };
  };

  it('brings a lone client through four windows without a single 429', () => {
    const limit = window(30, 5000);
    let rejected = 0;
    const server = answering((_n, now) => {
      const response = limit(now);
      if (response.status === 429) rejected++;
      return response;
    });
    const { at } = play(requests(120), server, pacer({ random: () => 0.5 }));
    expect([at.length, rejected]).toEqual([120, 0]);
    expect(at.at(-1)).toBeLessThan(25_000);
  });

  it.each([
    ['announce nothing', () => fine()],
    ['speak of another window', () => fine({ ratelimit: '"wide"; r=900; t=60', 'ratelimit-policy': '"wide"; q=1000; w=60' })],
    ['come out of a cache', () => fine({ age: '30', ratelimit: '"w"; r=1; t=60' })],
  ])('stands aside for answers that %s, though a window of that origin was learned', (_title, others) => {
    const limit = window(10, 5000);
    const server = answering((n, now) => (n <= 10 ? limit(now) : others()));
    const { at } = play(requests(150), server, pacer({ random: () => 0.5 }));
    const opened = at[10] ?? Infinity;
    expect(opened).toBeGreaterThan(5000);
    expect((at.at(-1) ?? Infinity) - opened).toBeLessThan(1000);
  });

  it('refuses at once what the deadline does not allow, with the arithmetic', () => {
    const limit = window(10, 60_000);
    const { at, errors } = play(
      requests(40, URL, { deadline: 100_000 }),
      answering((_n, now) => limit(now)),
      fixed(),
    );
    expect(at.length).toBeLessThanOrEqual(20);
    const [error] = errors;
    expect(error).toMatchObject({ name: 'DeadlineError' });
    expect(String(error)).toMatch(
      /\d+ requests x 1 client - 0 left, at 10 per 60 s, take \d more windows; the turn comes in 2 min, and [\d.]+ s are left/,
    );
  });

  it('ignores what remains on a 429', () => {
    const server = answering((n) => (n === 1 ? tooMany({ ratelimit: '"w"; r=7; t=5', 'retry-after': '5' }) : fine()));
    expect(play(requests(3), server).at[1]).toBe(5010);
  });

  it('ignores what a cached answer says', () => {
    const server = answering(() => fine({ age: '30', ratelimit: '"w"; r=0; t=60' }));
    const { at } = play(requests(3), server);
    expect(at.at(-1)).toBeLessThan(100);
  });

  it('tells those who wait how long, how many windows and behind how many', () => {
    const limit = window(10, 60_000);
    const { events } = play(
      requests(30),
      answering((_n, now) => limit(now)),
      fixed(),
    );
    const waits = events.filter((event) => event.type === 'wait');
    expect(waits.length).toBeGreaterThanOrEqual(20);
    expect(waits[0]).toMatchObject({ kind: 'gate', source: 'rateLimit', windowsLeft: 1, position: 0, origin: 'https://api.test' });
    expect(waits.some((wait) => wait.windowsLeft === 2 && (wait.position ?? 0) >= 10)).toBe(true);
  });

  it('forgets no origin of more than maxOrigins that holds requests', () => {
    const limiter = fixed({ maxOrigins: 2 });
    for (const name of ['a', 'b', 'c']) {
      acquire(limiter, { url: `https://${name}.test` })
        .pipe(take(1))
        .subscribe((permit) => permit.settle({ status: 429, headers: new Headers({ 'retry-after': '60' }) }));
    }
    const waits = ['a', 'b', 'c'].map((name) => limiter.check({ url: `https://${name}.test` }) > 0);
    expect(waits).toEqual([true, true, true]);
  });
});

describe('a pacer that hears on a success that nothing remains for very long', () => {
  const spent = (reset: number, name = 'x-ratelimit') =>
    fine({ [`${name}-limit`]: '100', [`${name}-remaining`]: '0', [`${name}-reset`]: String(reset) });

  it('sends one request to find out where the server has never refused, and all when it passes', () => {
    const server = answering(() => spent(3600), 50);
    const { at, errors } = play(requests(20), server);
    expect(at.slice(0, 3)).toEqual([0, 50, 100]);
    expect([at.length, at.at(-1), errors]).toEqual([20, 100 + 3 * 50, []]);
  });

  it('ignores the field from then on, until a 429 says that nothing remains', () => {
    const limiter = fixed();
    play(
      requests(5),
      answering(() => spent(3600)),
      limiter,
    );
    expect(limiter.check({ url: URL })).toBe(0);
  });

  it('waits at once where it is no longer than maxHint', () => {
    const { at } = play(
      requests(2),
      answering((n) => (n === 1 ? spent(900) : fine())),
    );
    expect(at).toEqual([0, expect.closeTo(900_010, -3)]);
    const own = fixed({ maxHint: 60_000 });
    expect(
      play(
        requests(2),
        answering(() => spent(61)),
        own,
      ).at,
    ).toEqual([0, 10]);
  });

  it('closes until the reset when that one request is refused', () => {
    const server = answering((n) =>
      n === 2 ? tooMany({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3600' }) : n === 1 ? spent(3600) : fine(),
    );
    const { at, errors } = play(requests(2), server, fixed(), policies.patient);
    expect(at).toEqual([0, 10]);
    expect(errors.map((error) => retryReport(error))).toMatchObject([{ reason: 'deadline' }]);
  });
});

describe('a pacer of requests with a maxWait', () => {
  const spent = { ratelimit: '"w"; r=0; t=600', 'ratelimit-policy': '"w"; q=10; w=600' };

  it.each([
    ['a success that leaves nothing', () => fine(spent)],
    ['a 429 with its quota', () => tooMany(spent)],
    ['a 429 with a delay alone', () => tooMany({ 'retry-after': '600' })],
  ])('refuses at once a wait that is known to exceed it, after %s', (_title, answer) => {
    const limiter = fixed();
    marbles(({ flush }) => {
      limiter.take({ url: URL }).settle({ status: answer().status, headers: answer().headers });
      const errors: unknown[] = [];
      acquire(limiter, { url: URL, maxWait: 10_000 }).subscribe({ error: (error: unknown) => errors.push(error) });
      expect(errors).toMatchObject([{ name: 'LimiterError', reason: 'max-wait' }]);
      flush();
    });
  });

  it('refuses those that wait already, when the wait becomes known', () => {
    const { at, errors } = play(
      requests(4),
      answering(() => fine(spent)),
      fixed(),
      {},
      { maxWait: 10_000 },
    );
    expect(at).toEqual([0]);
    expect(errors).toMatchObject(Array<object>(3).fill({ name: 'LimiterError', reason: 'max-wait' }));
  });
});

describe('a pacer of an origin that names its quotas', () => {
  const API = 'https://api.test';
  const said = (resource: string, remaining: number, status = 200): Outcome => ({
    status,
    headers: new Headers({
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': '60',
      'x-ratelimit-resource': resource,
    }),
  });
  const settle = (limiter: Limiter, path: string, outcome: Outcome): void => void limiter.take({ url: API + path }).settle(outcome);
  const isHeld = (limiter: Limiter, path: string): boolean => limiter.check({ url: API + path }) > 50_000;

  it.each([
    ['a success that leaves nothing', said('search', 0)],
    ['a 429', said('search', 0, 429)],
    ['a 403', { ...(said('search', 0, 403) as ResponseOutcome), limited: true }],
  ])('holds the routes of a used-up quota after %s, and no others', (_title, outcome) => {
    const limiter = fixed();
    settle(limiter, '/users/1', said('core', 4000));
    settle(limiter, '/search/issues', outcome);
    expect(['/search/issues', '/users/2', '/repos'].map((path) => isHeld(limiter, path))).toEqual([true, false, false]);
  });

  it('holds a new route with the known ones beside it, where two agree and none differs', () => {
    const limiter = fixed();
    settle(limiter, '/api/v3/search/code', said('code_search', 5));
    settle(limiter, '/api/v3/repos/a/issues', said('core', 4000));
    settle(limiter, '/api/v3/repos/b/issues', said('core', 0));
    const paths = ['/api/v3/repos/c/pulls', '/api/v3/search/issues', '/api/v3/user'];
    expect(paths.map((path) => isHeld(limiter, path))).toEqual([true, false, false]);
  });

  it('takes a route for one of the quota that its latest answer named', () => {
    const limiter = fixed();
    settle(limiter, '/search/issues', said('search', 0));
    settle(limiter, '/graphql', said('search', 0));
    settle(limiter, '/graphql', said('graphql', 10));
    expect(['/search/issues', '/graphql'].map((path) => isHeld(limiter, path))).toEqual([true, false]);
  });

  it('lets requests of other routes overtake those that wait', () => {
    const server: string[] = [];
    const limiter = fixed();
    marbles(({ flush }) => {
      settle(limiter, '/search/issues', said('search', 0));
      for (const path of ['/search/issues', '/users/1', '/search/issues', '/users/2'])
        acquire(limiter, { url: API + path })
          .pipe(take(1))
          .subscribe((permit) => {
            server.push(path);
            permit.settle(said(path.startsWith('/users') ? 'core' : 'search', 20));
          });
      flush();
      expect(server).toEqual(['/users/1', '/users/2', '/search/issues', '/search/issues']);
    });
  });

  it('ignores the name in a cached answer', () => {
    const limiter = fixed();
    const { headers } = said('search', 0) as ResponseOutcome;
    settle(limiter, '/search/issues', { status: 200, headers: { get: (name) => (name === 'age' ? '30' : (headers?.get(name) ?? null)) } });
    expect(isHeld(limiter, '/search/issues')).toBe(false);
  });
});
