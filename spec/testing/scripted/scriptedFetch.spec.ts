import { from, mergeMap, of, retry, tap, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { marbles, reply, scriptedFetch } from 'coldfetch/testing';

const url = 'https://api.test/users';

describe('scriptedFetch', () => {
  it('answers in the order of its script', () =>
    marbles(({ cold, expect$ }) => {
      const fetch = scriptedFetch([503, reply(200, { json: [] }), 404]);
      const statuses = cold('  a-b-c|').pipe(mergeMap(() => fetch(url)));
      expect$(statuses).toBeMarbles('a-b-c|', {
        a: expect.objectContaining({ status: 503, ok: false }),
        b: expect.objectContaining({ status: 200, url }),
        c: expect.objectContaining({ status: 404 }),
      });
    }));

  it('takes the time before a marble as the latency of that answer', () =>
    marbles(({ cold, expect$ }) => {
      const fetch = scriptedFetch('      5ms a 3s b', { a: 200, b: 204 });
      const answers = cold('      a 9ms (b|)').pipe(mergeMap(() => fetch(url)));
      expect$(answers).toBeMarbles('5ms a 3004ms (b|)', {
        a: expect.objectContaining({ status: 200 }),
        b: expect.objectContaining({ status: 204 }),
      });
    }));

  it('takes latency from a reply', () =>
    marbles(({ expect$ }) => {
      expect$(scriptedFetch([reply(200, { delay: '3s' })])(url)).toBeMarbles('3s (a|)', { a: expect.anything() });
    }));

  it('loses the connection as Node does', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch(['network', 'network ECONNREFUSED']);
      expect$(fetch(url)).toFailWith({ name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } });
      expect$(fetch(url)).toFailWith({ cause: { code: 'ECONNREFUSED' } });
      expect$(scriptedFetch('5ms #')(url)).toBeMarbles('5ms #', undefined, TypeError);
    }));

  it('hangs for ever, and is given up', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch(['hang']);
      expect$(fetch(url), '^ 9s !').toBeMarbles('');
      expect$(fetch).toHaveRequests('a', { a: { abortedAt: 9001, answeredAt: undefined } });
    }));

  it('answers with errors, observables, and what a function makes of the request', () =>
    marbles(({ cold, expect$ }) => {
      const fetch = scriptedFetch([
        new RangeError('mine'),
        cold('3s (a|)', { a: reply(201) }),
        ({ method }) => reply(200, { body: method }),
      ]);
      expect$(fetch(url)).toBeMarbles('#', undefined, RangeError);
      expect$(fetch(url)).toBeMarbles('3s (a|)', { a: expect.objectContaining({ status: 201 }) });
      expect$(fetch(url, { method: 'PUT' }).pipe(mergeMap((response) => from(response.text())))).toBeMarbles('(a|)', { a: 'PUT' });
    }));

  it('remembers what it was asked', async () => {
    const fetch = scriptedFetch([200, 200, 200]);
    void fetch(url, { method: 'POST', headers: { 'x-n': '1' }, body: '{"a":1}' });
    void fetch(new URL(url));
    void fetch(new Request(url, { method: 'DELETE', headers: { 'x-n': '3' } }));
    expect(fetch.requests.map(({ method, url: to, headers, body }) => [method, to, headers.get('x-n'), body])).toEqual([
      ['POST', url, '1', '{"a":1}'],
      ['GET', url, null, undefined],
      ['DELETE', url, '3', undefined],
    ]);
  });

  it('hands out fresh copies, so that one reply can answer twice', () =>
    marbles(({ expect$ }) => {
      const answer = reply(200, { body: 'a' });
      const fetch = scriptedFetch([answer, answer]);
      const texts = of(1, 2).pipe(
        mergeMap(() => fetch(url)),
        mergeMap((response) => from(response.text())),
      );
      expect$(texts).toBeMarbles('(aa|)');
      expect(answer.bodyUsed).toBe(false);
    }));

  it('fails with the reason of its signal, and tells when', () =>
    marbles(({ cold, expect$ }) => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const fetch = scriptedFetch('9s a', { a: 200 });
      expect$(fetch(url, { signal: controller.signal })).toBeMarbles('3s #', undefined, reason);
      expect$(cold('3s (a|)').pipe(tap(() => controller.abort(reason)))).toBeMarbles('3s (a|)');
      expect$(fetch).toHaveRequests('a', { a: { abortedAt: 3000 } });
    }));

  it('does not send what was aborted before', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([200]);
      expect$(fetch(url, { signal: AbortSignal.abort('no') })).toBeMarbles('#', undefined, 'no');
      expect$(fetch).toHaveRequests('');
    }));

  it('breaks a body off when its signal aborts', () =>
    marbles(({ cold, expect$ }) => {
      const controller = new AbortController();
      const fetch = scriptedFetch([reply(200, { chunks: 'a 9s b|' })]);
      const text = fetch(url, { signal: controller.signal }).pipe(mergeMap((response) => from(response.text())));
      expect$(text).toBeMarbles('3s #', undefined, 'enough');
      expect$(cold('3s (a|)').pipe(tap(() => controller.abort('enough')))).toBeMarbles('3s (a|)');
    }));

  it('names the request that its script does not foresee', () =>
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([200]);
      expect$(fetch(url)).toBeMarbles('(a|)', { a: expect.anything() });
      expect$(fetch(`${url}?token=secret`)).toFailWith({
        name: 'UsageError',
        message: 'GET https://api.test/users at 0 ms is request 2, but the script has one answer: add one, or find out who asks too often',
      });
    }));

  it.each([
    ['a|', "has a '|': each of its letters is an answer"],
    ['(ab)', 'has a group: each of its letters is an answer'],
    ['a b', "has an answer 'b' that its values lack"],
  ])('refuses the script %j', (script, message) => {
    expect(() => scriptedFetch(script, { a: 200 })).toThrow(message);
  });

  it.each<[string, unknown, string]>([
    ['a misspelt word', 'hnag', '"hnag"'],
    ['an impossible status', 42, '42'],
    ['nothing', undefined, 'undefined'],
    ['an object', { status: 200 }, '{ status: 200 }'],
    ['a promise', Promise.resolve(200), 'Promise {}'],
  ])('refuses %s as an answer, wherever it stands', (_, answer, shown) => {
    const known = "give a response, a status from 101 to 599, 'network', 'hang', an error, an observable or a function that is not async";
    expect(() => scriptedFetch([200, answer as never])).toThrow(`Answer 2 of the script is ${shown}; ${known}`);
    expect(() => scriptedFetch('a', { a: answer as never })).toThrow(`'a' of the script is ${shown}; ${known}`);
    marbles(({ expect$ }) => {
      const fetch = scriptedFetch([() => answer as never]);
      expect$(fetch(`${url}?key=1`)).toFailWith({
        name: 'UsageError',
        message: `The script fails on GET ${url} at 0 ms: UsageError: What it answers is ${shown}; ${known}`,
      });
    });
  });

  it('works in a plain TestScheduler.run', () => {
    const fetch = scriptedFetch('5ms a 5ms b', { a: 503, b: reply(200, { json: [] }) });
    new TestScheduler((received, expected) => expect(received).toEqual(expected)).run(({ expectObservable }) => {
      const answer = of(url).pipe(
        mergeMap((to) => fetch(to)),
        mergeMap((response) => (response.ok ? from(response.json()) : throwError(() => response))),
        retry({ count: 1, delay: 1000 }),
      );
      expectObservable(answer).toBe('5ms 1s 5ms (a|)', { a: [] });
    });
    expect(fetch).toHaveRequests('a 1004ms a', { a: 'GET /users' });
  });
});
