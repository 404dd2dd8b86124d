import { catchError, defer, delay, EMPTY, merge, NEVER, of, takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { createClient, type HttpClient, type HttpEvent, pacer, policies, type RequestOptions, retryReport } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { elapsed } from '../../src/time.js';
import { answering, fine, tooMany } from '../support/pipeline.js';

const URL = 'https://api.test/files';

/** Outcomes of requests that began together: the errors with their times, and the events. */
interface Outcome {
  readonly errors: { readonly at: number; readonly error: unknown }[];
  readonly events: HttpEvent[];
}

/** Plays requests of one client, as it comes, to the end. */
function play(server: ReturnType<typeof answering>, options: readonly RequestOptions[], url = (_index: number) => URL): Outcome {
  const outcome: Outcome = { errors: [], events: [] };
  virtualTime(() => {
    const http = createClient({ fetch: server });
    merge(...options.map((own, index) => watched(http, url(index), own, outcome))).subscribe((event) => outcome.events.push(event));
  });
  return outcome;
}

function watched(http: HttpClient, url: string, options: RequestOptions, { errors }: Outcome) {
  return http
    .put(url, null, { ...options, observe: 'events', responseType: 'text' })
    .pipe(catchError((error: unknown) => (errors.push({ at: elapsed(), error }), EMPTY)));
}

const many = (count: number, options: RequestOptions = {}): RequestOptions[] => Array.from({ length: count }, () => options);
const fixed = { random: () => 0 };
const named429 = expect.objectContaining({ status: 429 }) as unknown;

/** True if an error is a 429, or has one for its cause. */
function names429(error: unknown): boolean {
  const { status, cause } = error as { status?: number; cause?: { status?: number } };
  return status === 429 || cause?.status === 429;
}

describe.each([0, 50])('500 requests of one route to a server that always answers 429, after %d ms', (latency) => {
  it('send one probe a minute where it says 60 s, and end together when its policy has no retries left', () => {
    const server = answering(() => tooMany({ 'retry-after': '60' }), latency);
    const { errors } = play(server, many(500));
    const later = server.at.slice(6).map((at, n) => at - (n + 1) * 60_000 - (n + 1) * latency);
    expect([server.at.slice(0, 6), later]).toEqual([Array<number>(6).fill(0), [0, 0, 0, 0, 0]]);
    expect(errors).toHaveLength(500);
    expect(errors.every(({ at, error }) => at >= 300_000 && at <= 300_000 + 6 * latency && names429(error))).toBe(true);
  });

  it('probe after 1, 2, 4, 8, 16 s where it says nothing, and end then', () => {
    const server = answering(() => tooMany(), latency);
    const { errors } = play(server, many(500, { retry: policies.upload }));
    const probes = [1000, 3000, 7000, 15_000, 31_000].map((at, n) => at + (n + 1) * latency);
    expect(server.at.slice(6)).toEqual(probes);
    expect(errors.filter(({ error }) => names429(error))).toHaveLength(500);
  });

  it('obey a single zero, not one for each of them', () => {
    const server = answering(() => tooMany({ 'retry-after': '0' }), latency);
    play(server, many(500, { retry: policies.upload }));
    const waits = server.at.slice(6).map((at, n) => at - (server.at.slice(5)[n] ?? 0) - latency);
    expect(waits).toEqual([0, 2000, 4000, 8000, 16_000]);
  });

  it('leave one that has no retries to wait until it has been sent itself', () => {
    const server = answering(() => tooMany({ 'retry-after': '60' }), latency);
    const { errors } = play(server, [...many(20), { retry: false }]);
    const alone = errors.at(-1);
    expect(server.at).toHaveLength(12);
    expect(alone?.at).toBeGreaterThanOrEqual(360_000);
    expect(alone?.error).toMatchObject({ name: 'HttpError', status: 429 });
  });
});

describe('a gate', () => {
  it('takes each waiter as its own policy says: one is never sent before the delay, another probes at its cap', () => {
    const server = answering(() => tooMany({ 'retry-after': '300' }), 0);
    const sent: [string, number][] = [];
    virtualTime(() => {
      const http = createClient({
        fetch: (input, init) => (sent.push([new Headers(init.headers).get('name') ?? '', elapsed()]), server(input, init)),
      });
      const get = (name: string, retry: RequestOptions['retry']) =>
        http.get(URL, { headers: { name }, retry }).pipe(catchError(() => EMPTY));
      // Five that are on their way close the gate, the others have not been sent.
      merge(
        ...Array.from({ length: 6 }, () => get('first', { retries: 0 })),
        get('api', { ...policies.api, deadline: 900_000 }),
        get('upload', policies.upload),
      )
        .pipe(takeUntil(timer(400_000)))
        .subscribe();
    });
    const first = (wanted: string) => sent.find(([name]) => name === wanted)?.[1];
    expect(first('upload')).toBe(60_000);
    expect(first('api') ?? Infinity).toBeGreaterThanOrEqual(300_000);
  });

  it.each([
    ['is unsubscribed', () => NEVER, { abortAt: 5100 }],
    ['times out', () => NEVER, { timeout: 500 }],
    ['is answered 503', () => of(new Response(null, { status: 503 })).pipe(delay(10)), {}],
  ] as const)('hands the turn on when its probe %s', (_, answer, { abortAt, timeout }: { abortAt?: number; timeout?: number }) => {
    const server = answering((n) => (n <= 6 ? tooMany({ 'retry-after': '5' }) : n === 7 ? answer() : fine()));
    virtualTime(() => {
      const http = createClient({ fetch: server });
      const put = (options: RequestOptions = {}) => http.put(URL, null, { ...options, retry: policies.upload });
      for (let i = 0; i < 6; i++)
        put()
          .pipe(takeUntil(timer(100)))
          .subscribe({ error: () => undefined });
      timer(20).subscribe(() => {
        put({ timeout })
          .pipe(takeUntil(timer((abortAt ?? 90_000) - 20)))
          .subscribe({ error: () => undefined });
        put().subscribe();
      });
    });
    const turn = abortAt ?? 5010 + (timeout ?? 10);
    expect(server.at.slice(6, 8)).toEqual([5010, turn]);
  });

  it('holds a request once for each refusal: a probe that is answered 503 waits on its own timer, and no second time at the gate', () => {
    const server = answering((n) => (n <= 3 ? tooMany() : n === 4 ? new Response(null, { status: 503 }) : fine()), 0);
    play(server, [{ retry: policies.upload }]);
    expect(server.at).toEqual([0, 1000, 3000, 7000, 8000]);
  });

  it('sends a second probe after a second without an answer, and no third before one has ended', () => {
    const server = answering((n) => (n <= 6 ? tooMany({ 'retry-after': '5' }) : n <= 8 ? NEVER : fine()));
    play(server, many(9, { timeout: 20_000, retry: policies.upload }));
    expect(server.at.slice(6, 9)).toEqual([5010, 6010, 25_010]);
  });
});

describe('a gate at which policies differ', () => {
  /** Puts by name, each under its policy, and notes when each was sent. */
  function named(server: ReturnType<typeof answering>) {
    const sent: [string, number][] = [];
    const http = createClient({
      fetch: (input, init) => (sent.push([new Headers(init.headers).get('name') ?? '', elapsed()]), server(input, init)),
    });
    const put = (name: string, retry: RequestOptions['retry']) =>
      http.put(URL, null, { headers: { name }, retry }).subscribe({ error: () => undefined });
    return { put, first: (name: string) => sent.find(([sender]) => sender === name)?.[1] };
  }

  it('sends one that waits for whole delays not before, though a capped one has passed', () => {
    const server = answering((n) => (n <= 6 ? tooMany({ 'retry-after': '300' }) : fine()));
    virtualTime(() => {
      const { put, first } = named(server);
      for (let i = 0; i < 6; i++) put('upload', policies.upload);
      timer(20).subscribe(() => put('api', { ...policies.api, deadline: 900_000 }));
      timer(900_000).subscribe(() => expect(first('api')).toBeGreaterThanOrEqual(300_000));
    });
    expect(server.at[6]).toBe(60_010);
  });

  it('lets each probe by its own backoff, whoever came before', () => {
    const own = (ms: number) => ({ ...policies.upload, rules: { throttled: { ...policies.upload.rules.throttled, backoff: () => ms } } });
    const server = answering((n) => (n === 1 ? tooMany() : fine()));
    let fast: number | undefined;
    virtualTime(() => {
      const { put, first } = named(server);
      put('closes', 0);
      timer(20).subscribe(() => put('slow', own(60_000)));
      timer(21).subscribe(() => put('fast', own(100)));
      timer(1000).subscribe(() => (fast = first('fast')));
    });
    expect(fast).toBe(110);
  });
});

describe('a 429 that announces no quota', () => {
  it('holds the requests of its route, whatever their ids, and no others', () => {
    const server = scriptedFetch([reply(429, { headers: { 'retry-after': '30' } }), 200, 200, 200]);
    marbles(({ expect$, flush }) => {
      const http = createClient({ fetch: server });
      http.get('https://api.test/busy/1', { retry: policies.upload }).subscribe();
      expect$(http.get('https://api.test/busy/2', { retry: policies.upload, responseType: 'text' })).toBeMarbles('30s (a|)', { a: '' });
      expect$(http.get('https://api.test/users/1', { retry: policies.interactive, responseType: 'text' })).toBeMarbles('(a|)', { a: '' });
      flush();
    });
  });

  it('holds the origin from the second route on that is refused meanwhile', () => {
    const server = answering((n) => (n <= 2 ? tooMany({ 'retry-after': '30' }) : fine()), 0);
    marbles(({ expect$, flush }) => {
      const http = createClient({ fetch: server, retry: policies.upload });
      const get = (path: string) => http.get(`https://api.test/${path}`);
      get('a').subscribe();
      get('b').subscribe();
      expect$(get('c')).toBeMarbles('30s (a|)', { a: null });
      expect$(http.get('https://other.test/c')).toBeMarbles('(a|)', { a: null });
      flush();
    });
  });

  it('is lifted by a pass, after which requests double with each round trip', () => {
    const server = answering((n) => (n <= 6 ? tooMany({ 'retry-after': '5' }) : fine()));
    play(server, many(13, { retry: policies.upload }));
    expect(server.at.slice(6)).toEqual([5010, 5020, 5020, ...Array<number>(4).fill(5030), ...Array<number>(6).fill(5040)]);
  });
});

describe('a 429 that announces its quota', () => {
  it('holds all that share it until the reset, whatever the cap of a policy', () => {
    const headers = { 'retry-after': '300', ratelimit: '"w"; r=0; t=300', 'ratelimit-policy': '"w"; q=10; w=300' };
    const server = answering((n) => (n === 1 ? tooMany(headers) : fine()), 0);
    play(server, many(2, { retry: policies.upload }), (index) => `https://api.test/${index === 0 ? 'a' : 'b'}`);
    expect(server.at.slice(0, 2)).toEqual([0, 0]);
    expect(server.at.slice(2).every((at) => at >= 300_000 && at <= 301_750)).toBe(true);
  });

  it('takes the server’s own shorter delay once for each reset', () => {
    const reset = (now: number) => ({ 'retry-after': '5', ratelimit: `"w"; r=0; t=${Math.ceil((60_000 - now) / 1000)}` });
    const server = answering((_n, now) => (now < 60_000 ? tooMany(reset(now)) : fine()), 0);
    play(server, many(1, { retry: policies.upload }));
    expect(server.at.length).toBe(3);
    expect(server.at[1]).toBeGreaterThanOrEqual(5000);
    expect(server.at[1]).toBeLessThan(7000);
    expect(server.at[2]).toBeGreaterThanOrEqual(60_000);
  });

  it('is as any other where it says that requests are left', () => {
    const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '300', ratelimit: '"w"; r=7; t=300' }) : fine()), 0);
    play(server, many(1, { retry: policies.upload }));
    expect(server.at).toEqual([0, 60_000]);
  });
});

describe('a slow server', () => {
  it('gets one probe at a time, though its answers take longer than a second', () => {
    const server = answering(() => tooMany({ 'retry-after': '60' }), 2000);
    play(server, many(3));
    expect(server.at.slice(3)).toEqual([62_000, 124_000, 186_000, 248_000, 310_000]);
  });
});

describe('a zero of a request that was under way', () => {
  it('lowers no gate', () => {
    const server = answering((n) => of(tooMany(n === 1 ? {} : { 'retry-after': '0' })).pipe(delay(n * 5)));
    play(server, many(2, { retry: { ...policies.upload, retries: 1 } }));
    expect(server.at[2]).toBe(1005);
  });
});

describe('a client that visits more origins than its pacer remembers', () => {
  it('forgets none that holds a request', () => {
    const server = answering((n) => (n === 1 ? tooMany({ 'retry-after': '30' }) : fine()), 0);
    virtualTime(() => {
      const http = createClient({ fetch: server, retry: policies.upload, pace: pacer({ maxOrigins: 1 }) });
      http.put('https://a.test/f', null).subscribe();
      timer(1000).subscribe(() => http.put('https://b.test/f', null).subscribe());
    });
    expect(server.at).toEqual([0, 1000, 30_000]);
  });
});

describe('a terminal verdict', () => {
  const spent = { error: { code: 'insufficient_quota' } };
  const headers = { 'content-type': 'application/json', 'retry-after': '30' };

  it('withdraws the closing of its gate', () => {
    const server = scriptedFetch([reply(429, { headers, body: JSON.stringify(spent) }), 200]);
    marbles(({ expect$, flush }) => {
      const http = createClient({ fetch: server });
      expect$(http.get(URL)).toBeMarbles('#', undefined, { name: 'HttpError', status: 429 });
      expect$(http.get(URL, { responseType: 'text' })).toBeMarbles('(a|)', { a: '' });
      flush();
    });
  });

  it('leaves a gate closed that another 429 has confirmed', () => {
    const throttled = reply(429, { headers: { 'retry-after': '30' }, delay: 1 });
    const usedUp = reply(429, { headers, body: JSON.stringify(spent), delay: 2 });
    const server = scriptedFetch([throttled, usedUp, 200, 200]);
    marbles(({ expect$, flush }) => {
      const http = createClient({ fetch: server, retry: policies.upload });
      expect$(http.get(URL, { responseType: 'text' })).toBeMarbles('30002ms (a|)', { a: '' });
      expect$(http.get(URL)).toBeMarbles('2ms #', undefined, { name: 'HttpError', status: 429 });
      expect$(
        defer(() => http.get(URL, { responseType: 'text' })),
        '3ms ^',
      ).toBeMarbles('30002ms (a|)', { a: '' });
      flush();
    });
  });
});

describe('GitHub’s 403', () => {
  it.each([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '45' }, 45_000],
  ])('for a rate limit waits and closes the gate as a 429 under policies.api: %o', (headers, wait) => {
    const server = answering((n) => (n === 1 ? new Response(null, { status: 403, headers }) : fine()), 0);
    play(server, many(1, { retry: policies.api }));
    expect(server.at[1]).toBeGreaterThanOrEqual(wait);
    expect(server.at[1]).toBeLessThanOrEqual(wait + 1750);
  });

  it('for a missing permission is terminal', () => {
    const server = answering(() => new Response(null, { status: 403, headers: { 'x-ratelimit-remaining': '4999' } }), 0);
    const { errors } = play(server, many(1, { retry: policies.api }));
    expect([server.at.length, retryReport(errors[0]?.error)?.reason]).toEqual([1, 'terminal']);
  });
});

describe('the end of a wait at a gate', () => {
  const refused = (seconds: number) => answering((n) => (n <= 6 ? tooMany({ 'retry-after': String(seconds) }) : fine()), 0);
  /** Six requests close the gate; the seventh has never been sent. */
  const seven = (options: RequestOptions): RequestOptions[] => [...many(6, options), options];

  it.each([
    [
      'deadline',
      { retry: { ...policies.patient, deadline: 20_000 } },
      { name: 'DeadlineError', cause: named429 },
      /the gate opens in 60 s, and 20 s are left/,
    ],
    [
      'max-hint',
      { retry: { ...policies.upload, maxHint: 10_000 } },
      { name: 'LimiterError', reason: 'max-hint', cause: named429 },
      /maxHint \(10 s\)/,
    ],
  ] as const)('by %s is that failure, and of a request that was never sent an error that says why', (reason, options, error, message) => {
    const server = refused(60);
    const { errors } = play(server, seven(options));
    expect(server.at).toHaveLength(6);
    const sent = errors.filter((each) => (each.error as { name: string }).name === 'HttpError');
    const unsent = errors.filter((each) => !sent.includes(each));
    expect(sent).toHaveLength(6);
    expect(sent.map((each) => retryReport(each.error)?.reason)).toEqual(Array(6).fill(reason));
    expect(unsent).toMatchObject([{ at: 0, error }]);
    expect(String(unsent[0]?.error)).toMatch(message);
  });

  it('by maxWait is refused early, with the bound named', () => {
    const server = refused(60);
    const outcome: Outcome = { errors: [], events: [] };
    virtualTime(() => {
      const http = createClient({ fetch: server, retry: policies.patient, pace: { maxWait: 20_000 } });
      for (let i = 0; i < 7; i++) watched(http, URL, {}, outcome).subscribe();
    });
    const names = outcome.errors.map(({ error }) => (error as { name: string }).name).sort();
    expect(names).toEqual([...Array<string>(6).fill('HttpError'), 'LimiterError']);
    const unsent = outcome.errors.find(({ error }) => (error as { name: string }).name === 'LimiterError');
    expect(unsent).toMatchObject({ at: 0, error: { reason: 'max-wait', cause: named429 } });
    expect(String(unsent?.error)).toContain('maxWait cannot be kept');
  });

  it('tells all waiting, from the failure to the next send', () => {
    const server = answering(() => tooMany({ 'retry-after': '60' }), 0);
    const { errors } = play(server, many(1));
    expect(retryReport(errors[0]?.error)).toMatchObject({ attempts: 6, waited: 300_000, elapsed: 300_000, reason: 'exhausted' });
  });
});

describe('wait events at a gate', () => {
  it('have the kind gate before the first send, the rule’s name after a failure, and the source of the delay', () => {
    const server = answering((n) => (n <= 6 ? tooMany({ 'retry-after': '300' }) : fine()), 0);
    const { events } = play(server, many(7, { retry: { ...policies.upload, ...fixed } }));
    const waits = events.filter((event) => event.type === 'wait');
    expect(waits.filter(({ kind }) => kind === 'gate')).toMatchObject([{ attempt: 1, source: 'retryAfter', capped: true, delay: 60_000 }]);
    expect(waits.filter(({ kind }) => kind === 'throttled')).toHaveLength(6);
    expect(waits.every(({ source, capped, delay: ms }) => source === 'retryAfter' && capped && ms === 60_000)).toBe(true);
  });

  it('tell again when the gate is raised', () => {
    // Each is answered a millisecond after the one before.
    const server = answering((n) => of(n <= 6 ? tooMany({ 'retry-after': n === 6 ? '9' : '3' }) : fine()).pipe(delay(n)));
    const { events } = play(server, many(6, { retry: policies.upload }));
    const waits = events.filter((event) => event.type === 'wait');
    expect(waits.some(({ updated, delay: ms }) => updated === true && ms === 9000)).toBe(true);
    expect(server.at[6]).toBe(9006);
  });
});
