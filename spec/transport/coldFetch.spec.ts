import { NEVER, Observable, of, Subject, take, tap, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { coldFetch, type FetchLike, HttpError, isHttpError, NetworkError, TimeoutError, UsageError } from 'coldfetch';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';

const URL = 'https://api.test/users?token=s3cret';
const ok = expect.objectContaining({ status: 200 }) as unknown;

/** A fetch that remembers what it was called with. */
function recording(response = (): Response => reply(200)): FetchLike & { readonly inits: RequestInit[] } {
  const inits: RequestInit[] = [];
  return Object.assign((_: unknown, init: RequestInit) => (inits.push(init), of(response())), { inits });
}

describe('coldFetch', () => {
  describe('is cold', () => {
    it('sends nothing before the subscription', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch('5ms a', { a: 200 });
        expect$(coldFetch(URL, { fetch }), '3ms ^').toBeMarbles('8ms (a|)', { a: ok });
        expect$(fetch).toHaveRequests('3ms a');
      }));

    it('sends anew for each subscription', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([200, 200]);
        const answer$ = coldFetch(URL, { fetch });
        expect$(answer$).toBeMarbles('(a|)', { a: ok });
        expect$(answer$, '9ms ^').toBeMarbles('9ms (a|)', { a: ok });
        expect$(fetch).toHaveRequests('a 8ms a');
      }));

    it('gives each subscription its own signal', () => {
      const fetch = recording();
      const answer$ = coldFetch(URL, { fetch });
      answer$.subscribe();
      answer$.subscribe();
      expect(fetch.inits[0]?.signal).not.toBe(fetch.inits[1]?.signal);
    });

    it('aborts the request when it is unsubscribed', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch(['hang']);
        expect$(coldFetch(URL, { fetch }), '^ 6ms !').toBeMarbles('');
        expect$(fetch).toHaveRequests('a', { a: { abortedAt: 7 } });
      }));

    it('takes the first answer of a fetch that gives several, and needs one', async () => {
      expect(await errorOf(coldFetch(URL, { fetch: () => of() }))).toBeInstanceOf(NetworkError);
      const statuses: number[] = [];
      coldFetch(URL, { fetch: () => of(reply(200), reply(201)) }).subscribe(({ status }) => statuses.push(status));
      expect(statuses).toEqual([200]);
    });

    it('looks up the platform’s fetch at each subscription', async () => {
      const platform = globalThis.fetch;
      const answer$ = coldFetch(URL);
      try {
        globalThis.fetch = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'E_STUB' } }));
        expect(await errorOf(answer$)).toMatchObject({ code: 'E_STUB' });
      } finally {
        globalThis.fetch = platform;
      }
    });
  });

  describe('has errors as the one channel of failure', () => {
    it.each([199, 300, 304, 400, 404, 429, 500, 599])('fails with a %i, its response unread', (status) =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([reply(status)]);
        const answer$ = coldFetch(URL, { fetch, method: 'DELETE', headers: { 'x-kind': 'a' } });
        const error = expect.toSatisfy(
          (thrown: unknown) =>
            isHttpError(thrown) &&
            thrown.status === status &&
            !thrown.response.bodyUsed &&
            thrown.headers === thrown.response.headers &&
            thrown.request.method === 'DELETE' &&
            thrown.request.url === URL &&
            thrown.request.headers.get('x-kind') === 'a',
        ) as Error;
        expect$(answer$).toBeMarbles('#', undefined, error);
      }),
    );

    it.each([200, 201, 204, 206, 299])('passes a %i on', (status) =>
      marbles(({ expect$ }) => {
        expect$(coldFetch(URL, { fetch: scriptedFetch([status]) })).toBeMarbles('(a|)', { a: expect.objectContaining({ status }) });
      }),
    );

    it.each(['if-none-match', 'if-modified-since'])('passes a 304 on to a caller who sent %s', (validator) =>
      marbles(({ expect$ }) => {
        const answer$ = coldFetch(URL, { fetch: scriptedFetch([304]), headers: { [validator]: '"a"' } });
        expect$(answer$).toBeMarbles('(a|)', { a: expect.objectContaining({ status: 304 }) });
      }),
    );

    it('lets the selector see good answers only', () =>
      marbles(({ expect$ }) => {
        const selector = ({ status }: Response) => of(status);
        expect$(coldFetch(URL, { fetch: scriptedFetch([201]), selector })).toBeMarbles('(a|)', { a: 201 });
        expect$(coldFetch(URL, { fetch: scriptedFetch([404]), selector })).toFailWith(HttpError);
      }));

    it('says which connection failed and why, with the code of the cause', () =>
      marbles(({ expect$ }) => {
        const message = 'GET https://api.test/users: connection lost: ECONNREFUSED';
        expect$(coldFetch(URL, { fetch: scriptedFetch(['network ECONNREFUSED']) })).toFailWith({ code: 'ECONNREFUSED', message });
      }));

    it('lets what the selector throws through', () =>
      marbles(({ expect$ }) => {
        const thrown = new RangeError('not mine');
        expect$(coldFetch(URL, { fetch: scriptedFetch([200]), selector: () => throwError(() => thrown) })).toBeMarbles('#', {}, thrown);
      }));

    it('hands a frozen stand-in for a Response to the selector', () =>
      marbles(({ expect$ }) => {
        const fetch = (): Observable<Response> =>
          of(Object.freeze({ ok: true, status: 204, body: null, headers: new Headers() }) as unknown as Response);
        expect$(coldFetch(URL, { fetch, selector: ({ status }) => of(status) })).toBeMarbles('(a|)', { a: 204 });
      }));

    it('makes a NetworkError of a body that breaks off under the selector', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([reply(200, { chunks: 'a 5ms #' })]);
        expect$(coldFetch(URL, { fetch, selector: (response) => response.text() })).toBeMarbles('6ms #', {}, { code: 'UND_ERR_SOCKET' });
      }));
  });

  describe('hears abort$', () => {
    it('completes when it emits, and aborts the request', () =>
      marbles(({ cold, expect$ }) => {
        const fetch = scriptedFetch(['hang']);
        const abort$ = cold('                        4ms a');
        expect$(coldFetch(URL, { fetch, abort$ })).toBeMarbles('4ms |');
        expect$(abort$).toHaveSubscriptions('        ^ 3ms !');
        expect$(fetch).toHaveRequests('a', { a: { abortedAt: 4 } });
      }));

    it('sends nothing when it emits at once', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([]);
        expect$(coldFetch(URL, { fetch, abort$: of(1) })).toBeMarbles('|');
        expect$(fetch).toHaveRequests('');
      }));

    it('goes on when it completes', () =>
      marbles(({ cold, expect$ }) => {
        expect$(coldFetch(URL, { fetch: scriptedFetch('5ms a', { a: 200 }), abort$: cold('2ms |') })).toBeMarbles('5ms (a|)', { a: ok });
      }));

    it('fails with its error', () =>
      marbles(({ cold, expect$ }) => {
        const error = new Error('mine');
        const abort$ = cold('2ms #', undefined, error);
        expect$(coldFetch(URL, { fetch: scriptedFetch(['hang']), abort$ })).toBeMarbles('2ms #', undefined, error);
      }));

    it('is let go of when the answer is there', () =>
      marbles(({ cold, expect$ }) => {
        const abort$ = cold('-------');
        expect$(coldFetch(URL, { fetch: scriptedFetch('5ms a', { a: 200 }), abort$ })).toBeMarbles('5ms (a|)', { a: ok });
        expect$(abort$).toHaveSubscriptions('^ 4ms !');
      }));
  });

  describe('hears a signal', () => {
    const reasons = [
      ['an error', new Error('stop')],
      ['what looks like a 503', Object.assign(new Error('busy'), { status: 503, headers: new Headers() })],
      ['what looks like a timeout', new DOMException('late', 'TimeoutError')],
      ['a string', 'enough'],
    ] as const;

    it.each(reasons)('fails with the very reason, %s', (_, reason) =>
      marbles(({ expect$ }) => {
        const controller = new AbortController();
        timer(4).subscribe(() => controller.abort(reason));
        const fetch = scriptedFetch(['hang']);
        const same = expect.toSatisfy((error: unknown) => error === reason) as Error;
        expect$(coldFetch(URL, { fetch, signal: controller.signal })).toBeMarbles('4ms #', undefined, same);
        expect$(fetch).toHaveRequests('a', { a: { abortedAt: 4 } });
      }),
    );

    it.each(reasons)('never calls fetch when it has aborted already, by %s', (_, reason) =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([]);
        const same = expect.toSatisfy((error: unknown) => error === reason) as Error;
        expect$(coldFetch(URL, { fetch, signal: AbortSignal.abort(reason) })).toBeMarbles('#', undefined, same);
        expect$(fetch).toHaveRequests('');
      }),
    );

    it('takes the one of a Request', () =>
      marbles(({ expect$ }) => {
        const controller = new AbortController();
        const reason = new Error('stop');
        timer(4).subscribe(() => controller.abort(reason));
        const request = new Request(URL, { signal: controller.signal });
        expect$(coldFetch(request, { fetch: scriptedFetch(['hang']) })).toBeMarbles('4ms #', undefined, reason);
      }));

    it('is carried by the error, as abort$ is', async () => {
      const { signal } = new AbortController();
      const error = await errorOf(coldFetch(URL, { fetch: scriptedFetch([503]), signal, abort$: NEVER }));
      expect(isHttpError(error) && error.request.signal).toBe(signal);
      expect(isHttpError(error) && error.request.abort$).toBe(NEVER);
    });
  });

  describe('owns the body only with a selector', () => {
    it('hands the Response over without one: what comes later does not reach it', () => {
      const fetch = recording();
      const controller = new AbortController();
      const subscription = coldFetch(URL, { fetch, signal: controller.signal }).subscribe();
      subscription.unsubscribe();
      controller.abort();
      expect(fetch.inits[0]?.signal?.aborted).toBe(false);
    });

    it('hands the Response over also to who unsubscribes when it comes', () => {
      const fetch = recording();
      coldFetch(URL, { fetch }).pipe(take(1)).subscribe();
      expect(fetch.inits[0]?.signal?.aborted).toBe(false);
    });

    it('hands the Response of an error over', async () => {
      const fetch = recording(() => reply(503));
      await errorOf(coldFetch(URL, { fetch }));
      expect(fetch.inits[0]?.signal?.aborted).toBe(false);
    });

    it('aborts a body that is being read when it is unsubscribed', () =>
      marbles(({ expect$ }) => {
        const answer = reply(200, { chunks: 'a 9ms b|' });
        const fetch = recording(() => answer);
        expect$(coldFetch(URL, { fetch, selector: (response) => response.text() }), '^ 4ms !').toBeMarbles('');
        timer(6).subscribe(() => expect(fetch.inits[0]?.signal?.aborted).toBe(true));
      }));

    it('ends the reading of a body with the reason of the signal', () =>
      marbles(({ expect$ }) => {
        const controller = new AbortController();
        const reason = new Error('stop');
        timer(4).subscribe(() => controller.abort(reason));
        const fetch = scriptedFetch([reply(200, { chunks: 'a 9ms b|' })]);
        const answer$ = coldFetch(URL, { fetch, signal: controller.signal, selector: (response) => response.text() });
        expect$(answer$).toBeMarbles('4ms #', undefined, reason);
      }));

    it('does not abort its signal after completion', () =>
      marbles(({ expect$ }) => {
        const fetch = recording(() => reply(200, { body: 'hello' }));
        expect$(coldFetch(URL, { fetch, selector: (response) => response.text() })).toBeMarbles('(a|)', { a: 'hello' });
        timer(1).subscribe(() => expect(fetch.inits[0]?.signal?.aborted).toBe(false));
      }));
  });

  describe('times out without progress', () => {
    it('fails after 30 s without an answer, unless told otherwise', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch(['hang', 'hang']);
        const message = 'GET https://api.test/users: no progress for 30000 ms';
        expect$(coldFetch(URL, { fetch })).toBeMarbles('30s #', undefined, { name: 'TimeoutError', message, timeout: 30_000 });
        expect$(coldFetch(URL, { fetch, timeout: 7 })).toBeMarbles('7ms #', undefined, TimeoutError);
        expect$(fetch).toHaveRequests('(aa)', { a: { abortedAt: expect.any(Number) as number } });
      }));

    it('waits for ever if the timeout is infinite', () =>
      marbles(({ expect$ }) => {
        expect$(coldFetch(URL, { fetch: scriptedFetch(['hang']), timeout: Infinity }), '^ 600m !').toBeMarbles('');
      }));

    it('does not count while the body function makes the body', () =>
      marbles(({ cold, expect$ }) => {
        const body = () => new Promise<string>(() => undefined);
        const fetch = scriptedFetch([]);
        expect$(coldFetch(URL, { fetch, method: 'POST', body, timeout: 10 }), '^ 1m !').toBeMarbles('');
        expect$(cold('|')).toBeMarbles('|');
      }));

    it('counts until the selector has completed', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch([reply(200, { chunks: 'a' })]);
        expect$(coldFetch(URL, { fetch, timeout: 10, selector: (response) => response.text() })).toBeMarbles('10ms #', {}, TimeoutError);
      }));

    it('stops counting when the Response has been handed over', () =>
      marbles(({ expect$ }) => {
        const fetch = scriptedFetch('5ms a', { a: reply(200, { chunks: '1m a|' }) });
        expect$(coldFetch(URL, { fetch, timeout: 10 })).toBeMarbles('5ms (a|)', { a: ok });
      }));
  });

  describe('makes bodies', () => {
    it('calls a body function once for each subscription', async () => {
      const bodies: string[] = [];
      const body = () => (bodies.push('made'), `body ${bodies.length}`);
      const fetch = recording();
      const answer$ = coldFetch(URL, { fetch, method: 'PUT', body });
      answer$.subscribe();
      answer$.subscribe();
      expect(fetch.inits.map((init) => init.body)).toEqual(['body 1', 'body 2']);
      expect(bodies).toHaveLength(2);
    });

    it('gives it a signal that aborts when the attempt ends early', () => {
      let given: AbortSignal | undefined;
      const body = ({ signal }: { signal: AbortSignal }) => ((given = signal), 'body');
      const subscription = coldFetch(URL, { fetch: () => NEVER, method: 'PUT', body }).subscribe();
      expect(given?.aborted).toBe(false);
      subscription.unsubscribe();
      expect(given?.aborted).toBe(true);
    });

    it('fails with what the body function throws or rejects with, and sends nothing', async () => {
      const fetch = scriptedFetch([]);
      const error = new Error('no file');
      const thrown = coldFetch(URL, {
        fetch,
        method: 'PUT',
        body: () => {
          throw error;
        },
      });
      expect(await errorOf(thrown)).toBe(error);
      expect(await errorOf(coldFetch(URL, { fetch, method: 'PUT', body: () => Promise.reject(error) }))).toBe(error);
      expect(fetch).toHaveRequests('');
    });

    it('refuses a stream that a body function gives a second time', async () => {
      const stream = new ReadableStream<Uint8Array>();
      const answer$ = coldFetch(URL, { fetch: () => of(reply(200)), method: 'PUT', body: () => stream });
      answer$.subscribe();
      expect(await errorOf(answer$)).toBeInstanceOf(UsageError);
    });
  });

  it('takes null for no init, as fetch does', async () => {
    expect(String(await errorOf(coldFetch('nowhere', null)))).toContain('not an absolute URL');
  });

  it('passes on what fetch takes', () => {
    const fetch = recording();
    coldFetch(URL, { fetch, credentials: 'include', integrity: 'sha256-a', keepalive: true, method: 'PUT' }).subscribe();
    expect(fetch.inits[0]).toMatchObject({ credentials: 'include', integrity: 'sha256-a', keepalive: true, method: 'PUT' });
  });

  it('lets go of everything when the receiver unsubscribes inside of fetch', () => {
    const torn: string[] = [];
    const stop$ = new Subject<void>();
    const fetch: FetchLike = () =>
      new Observable<Response>(() => {
        stop$.next();
        return () => torn.push('fetch');
      });
    coldFetch(URL, { fetch, abort$: stop$ })
      .pipe(tap({ finalize: () => torn.push('all') }))
      .subscribe();
    expect(torn).toEqual(expect.arrayContaining(['fetch', 'all']));
  });
});
