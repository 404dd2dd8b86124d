import { AxiosError, AxiosHeaders } from 'axios';
import { catchError, defer, EMPTY, from, merge, mergeMap, type Observable, of, Subject, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  acquire,
  allOf,
  circuitBreaker,
  coldFetch,
  concurrency,
  createClient,
  isHttpError,
  type Limiter,
  limitWith,
  pacer,
  policies,
  retryAfter,
  type RetryEvent,
  retryReport,
  type WaitEvent,
} from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { virtualTime } from '../../src/simulate/virtualTime.js';
import { elapsed } from '../../src/time.js';

const url = 'https://api.test/files';

/** An error as axios throws it. */
function axiosError(status: number, fields: Readonly<Record<string, string>> = {}): AxiosError {
  const headers = new AxiosHeaders(fields);
  const config = { method: 'put', url, headers: new AxiosHeaders() };
  return new AxiosError(`Request failed with status code ${status}`, 'ERR_BAD_REQUEST', config, undefined, {
    status,
    statusText: '',
    headers,
    config,
    data: '',
  });
}

/** A source that fails with each error in turn, then gives 'ok'; and the times at which it was subscribed. */
function failing(...errors: readonly unknown[]): { readonly source$: Observable<string>; readonly at: number[] } {
  const at: number[] = [];
  const source$ = defer(() => {
    at.push(elapsed());
    const error = errors[at.length - 1];
    return error === undefined ? of('ok') : throwError(() => error);
  });
  return { source$, at };
}

describe('retryAfter with a limiter', () => {
  it('lets one request’s 429 hold its siblings, whoever’s errors they are', () => {
    const { source$, at } = failing(axiosError(429, { 'retry-after': '30' }));
    const put = retryAfter<string>({ ...policies.upload, limiter: pacer(), request: { url } });
    virtualTime(() => merge(source$.pipe(put), source$.pipe(put), source$.pipe(put)).subscribe());
    // Values without a status are unknown outcomes: the gate opens by one at a time.
    expect(at).toEqual([0, 30_000, 30_000, 30_000]);
  });

  it('is one nameless origin where nobody says where a request goes', () => {
    const limiter = pacer();
    const { source$, at } = failing(axiosError(429, { 'retry-after': '30' }));
    virtualTime(() => {
      source$.pipe(retryAfter({ ...policies.upload, limiter })).subscribe();
      of('other')
        .pipe(retryAfter({ limiter }))
        .subscribe(() => at.push(elapsed()));
      of('elsewhere')
        .pipe(retryAfter({ limiter, request: { url: 'https://other.test/' } }))
        .subscribe(() => at.push(-elapsed()));
    });
    expect(at).toEqual([0, -0, 30_000, 30_000]);
  });

  it('learns of the quota from values with a status and header fields', () => {
    const limiter = pacer();
    const headers = new Headers({ ratelimit: '"w"; r=0; t=60', 'ratelimit-policy': '"w"; q=10; w=60' });
    of({ status: 200, headers })
      .pipe(retryAfter({ limiter, request: { url } }))
      .subscribe();
    expect(limiter.check({ url })).toBeGreaterThan(0);
  });

  it('tells of the wait and gives up as without a limiter', () => {
    const events: RetryEvent[] = [];
    const { source$, at } = failing(...Array.from({ length: 6 }, () => axiosError(429, { 'retry-after': '300' })));
    let failure: unknown;
    virtualTime(() => {
      source$.pipe(retryAfter({ limiter: pacer(), request: { url }, notify: (event) => events.push(event) })).subscribe({
        error: (error: unknown) => (failure = error),
      });
    });
    expect(at).toEqual([0, 60_000, 120_000, 180_000, 240_000, 300_000]);
    expect(events.map(({ type }) => type)).toEqual(['wait', 'wait', 'wait', 'wait', 'wait', 'gave-up']);
    expect(events[0]).toMatchObject({ kind: 'throttled', source: 'retryAfter', capped: true, delay: 60_000 });
    expect(retryReport(failure)).toMatchObject({ reason: 'exhausted', attempts: 6, waited: 300_000 });
  });

  it('gives a permit back where the source is unsubscribed', () => {
    const limiter = allOf(pacer());
    const subscription = new Promise<never>(() => undefined);
    from(subscription)
      .pipe(retryAfter({ limiter, request: { url } }))
      .subscribe()
      .unsubscribe();
    let granted = false;
    acquire(limiter, { url }).subscribe(() => (granted = true));
    expect(granted).toBe(true);
  });

  it('takes a limiter of the caller’s own with allOf around it, which brings its queue', () => {
    const own: Limiter = { ...concurrency(1) };
    expect(() => retryAfter({ limiter: own })).toThrow('retryAfter: the limiter brings no queue; give allOf(limiter), which does');
    const { source$, at } = failing();
    source$.pipe(retryAfter({ limiter: allOf(own) })).subscribe();
    expect(at).toHaveLength(1);
  });

  it.each(['signal', 'abort$'] as const)('hears the %s of the request that failed while a gate holds it', (kind) => {
    const ended: number[] = [];
    virtualTime(() => {
      const fetch = scriptedFetch([reply(429, { headers: { 'retry-after': '60' } }), 200]);
      const controller = new AbortController();
      const abort$ = new Subject<void>();
      timer(1000).subscribe(() => {
        controller.abort(new Error('stop'));
        abort$.next();
      });
      coldFetch(url, { fetch, ...(kind === 'signal' ? { signal: controller.signal } : { abort$ }) })
        .pipe(retryAfter({ limiter: pacer() }))
        .subscribe({ error: () => ended.push(elapsed()), complete: () => ended.push(elapsed()) });
    });
    expect(ended).toEqual([1000]);
  });

  it('refuses a limiter that is none', () => {
    expect(() => retryAfter({ limiter: 5 as never })).toThrow('retryAfter: the limiter is 5; give one, concurrency(4) say');
  });
});

describe('limitWith(pacer()) inside a retryAfter that knows nothing of it', () => {
  it('waits once, as long as the gate says, and is told once', () => {
    const events: RetryEvent[] = [];
    const { source$, at } = failing(axiosError(429, { 'retry-after': '20' }));
    virtualTime(() => {
      source$.pipe(limitWith(pacer(), { url }), retryAfter({ notify: (event) => events.push(event) })).subscribe();
    });
    expect(at).toEqual([0, 20_000]);
    expect(events).toMatchObject([{ type: 'wait', delay: 20_000 }]);
  });

  it('waits for the gate where the policy would be back sooner', () => {
    const { source$, at } = failing(axiosError(429, { 'retry-after': '300' }));
    virtualTime(() => source$.pipe(limitWith(pacer(), { url }), retryAfter()).subscribe());
    expect(at).toEqual([0, 300_000]);
  });
});

describe('a breaker beside a gate', () => {
  it('does not count a 429 that the gate has taken', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1 });
    allOf(breaker, pacer()).take({ url }).settle({ status: 429 });
    expect(breaker.check({ url })).toBe(0);
  });

  it('counts it where there is no gate', () => {
    const breaker = circuitBreaker({ consecutiveFailures: 1 });
    allOf(breaker).take({ url }).settle({ status: 429 });
    expect(breaker.check({ url })).toBeGreaterThan(0);
  });
});

describe('two retryAfter in one pipe', () => {
  it('send as often as the inner one alone: it does not retry what was exhausted', () => {
    const { source$, at } = failing(...Array.from({ length: 20 }, () => axiosError(503)));
    let failure: unknown;
    const inner = retryAfter<string>({ ...policies.batch, random: () => 0 });
    virtualTime(() => {
      source$.pipe(inner, retryAfter(policies.upload)).subscribe({ error: (error: unknown) => (failure = error) });
    });
    expect(at).toHaveLength(4);
    expect(retryReport(failure)).toMatchObject({ reason: 'exhausted', attempts: 4 });
  });

  it.each<[string, (error: Error) => unknown]>([
    ['an error that names it as its cause', (cause) => new Error('the build cannot be read', { cause })],
    ['one that is deeper', (error) => new Error('outer', { cause: new Error('inner', { cause: error }) })],
    ['one with its status', (cause) => Object.assign(new Error('busy', { cause }), { status: 503, headers: new Headers() })],
    ['one of a lost connection', (cause) => new TypeError('fetch failed', { cause })],
  ])('do so where the error is wrapped between them in %s', (_, wrap) => {
    const lost = (): Error => Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const { source$, at } = failing(...Array.from({ length: 20 }, lost));
    let failure: unknown;
    const inner = retryAfter<string>({ ...policies.batch, random: () => 0 });
    const wrapped = catchError((error: unknown) => throwError(() => wrap(error as Error)));
    virtualTime(() => {
      source$.pipe(inner, wrapped, retryAfter(policies.upload)).subscribe({ error: (error: unknown) => (failure = error) });
    });
    expect(at).toHaveLength(4);
    expect(retryReport(failure)).toMatchObject({ reason: 'exhausted', attempts: 4 });
  });

  it('send as often as the client alone', () =>
    marbles(({ expect$, flush }) => {
      const fetch = scriptedFetch([503, 503, 503, 503]);
      const http = createClient({ fetch, retry: { ...policies.batch, random: () => 0 } });
      expect$(http.get(url).pipe(retryAfter())).toBeMarbles('2100ms #', undefined, { name: 'HttpError', status: 503 });
      flush();
      expect(fetch.requests).toHaveLength(4);
    }));
});

describe('a client in which an error waits at a gate', () => {
  it('keeps the body of the failure for its reader', () => {
    const errors: unknown[] = [];
    const waits: WaitEvent[] = [];
    const fetch = scriptedFetch(Array.from({ length: 12 }, (_, n) => reply(429, { headers: { 'retry-after': '60' }, body: `no ${n}` })));
    virtualTime(() => {
      const http = createClient({ fetch });
      const get = () => http.get(url, { observe: 'events' }).pipe(catchError((error: unknown) => (errors.push(error), EMPTY)));
      of(1, 2, 3)
        .pipe(mergeMap(get))
        .subscribe((event) => event.type === 'wait' && waits.push(event));
    });
    const answered = errors.filter(isHttpError);
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.map(({ body }) => body)).toEqual(answered.map(() => expect.stringMatching(/^no \d+$/) as unknown));
    expect(waits.length).toBeGreaterThan(0);
  });
});
