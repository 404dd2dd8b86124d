import { describe, expect, it } from 'vitest';
import { type FetchLike, HttpContext, HttpRequest, isHttpError, NetworkError, type HttpRequestInit, TimeoutError } from 'coldfetch';
import { marbles, reply, scriptedFetch, type ScriptedReply } from 'coldfetch/testing';
import { map, NEVER } from 'rxjs';
import { FOREIGN, ON_SEND } from '../../src/request/tokens.js';
import { transport } from '../../src/transport/transport.js';

const URL = 'https://api.test/users';
const request = (method = 'GET', init: HttpRequestInit = {}): HttpRequest => new HttpRequest(method, URL, init);
/** The events of one request to a server that answers so, by type and what they carry. */
function sent(answer: ScriptedReply, asked = request()) {
  return transport(scriptedFetch([answer]))(asked).pipe(
    map((event) => {
      if (event.type === 'upload' || event.type === 'download') return `${event.type} ${event.loaded}/${event.total ?? '?'}`;
      return event.type === 'response' ? event.body : event.type;
    }),
  );
}

describe('transport', () => {
  it('tells of the send, the headers, the bytes and the answer as they come', () =>
    marbles(({ expect$ }) => {
      const answer = reply(200, {
        delay: '5ms',
        chunks: '3ms a 3ms (b|)',
        values: { a: '[1,', b: '2]' },
        headers: { 'content-length': '5' },
      });
      expect$(sent(answer)).toBeMarbles('s 4ms h 2ms a 3ms (bv|)', {
        s: 'sent',
        h: 'headers',
        a: 'download 3/5',
        b: 'download 5/5',
        v: [1, 2],
      });
    }));

  it('tells whoever wants to know with which fields it sends', () => {
    const heard: Headers[] = [];
    const context = HttpContext.of(ON_SEND, (headers) => heard.push(headers));
    sent(reply(200), request('GET', { headers: { authorization: 'Bearer 1' }, context })).subscribe();
    expect(heard.map((headers) => [...headers])).toEqual([[['authorization', 'Bearer 1']]]);
  });

  it('sends to a foreign origin no fields but the safelisted ones', () => {
    const fetch = scriptedFetch([reply(200)]);
    const headers = { authorization: 'Bearer 1', 'x-api-key': '1', accept: 'text/csv' };
    transport(fetch)(request('GET', { headers, context: HttpContext.of(FOREIGN, true) })).subscribe();
    expect([...(fetch.requests[0]?.headers ?? [])]).toEqual([['accept', 'text/csv']]);
  });

  it('aborts when it is unsubscribed, whatever signal the options of fetch carry', () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const fetch: FetchLike = (_input, init) => (signals.push(init.signal), NEVER);
    const fetchOptions: object = { signal: new AbortController().signal };
    transport(fetch)(request('GET', { fetchOptions })).subscribe().unsubscribe();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('tells of a small body as uploaded at once', () =>
    marbles(({ expect$ }) => {
      expect$(sent(reply(201, { delay: '5ms', json: null }), request('PUT', { body: 'abc' }))).toBeMarbles('(su) 1ms (hdv|)', {
        s: 'sent',
        u: 'upload 3/3',
        h: 'headers',
        d: 'download 4/?',
        v: null,
      });
    }));

  it.each<[string, string, number]>([
    ['a HEAD', 'HEAD', 200],
    ['a 204', 'GET', 204],
    ['a 205', 'GET', 205],
  ])('reads no body of %s', (_, method, status) =>
    marbles(({ expect$ }) => {
      expect$(sent(reply(status), request(method))).toBeMarbles('(shv|)', { s: 'sent', h: 'headers', v: null });
    }),
  );

  it('claims no total where the length is that of encoded bytes', () =>
    marbles(({ expect$ }) => {
      const answer = reply(200, { json: [1], headers: { 'content-length': '20', 'content-encoding': 'gzip' } });
      expect$(sent(answer)).toBeMarbles('(shdv|)', { s: 'sent', h: 'headers', d: 'download 3/?', v: [1] });
    }));

  it('fails with an answer that is none of 200 to 299, unread', () =>
    marbles(({ expect$ }) => {
      expect$(sent(reply(503, { delay: '5ms', body: 'busy' }))).toBeMarbles('s 4ms (h#)', { s: 'sent', h: 'headers' }, { status: 503 });
    }));

  it('takes a 304 for an answer where a validator was sent', () =>
    marbles(({ expect$ }) => {
      const asked = request('GET', { headers: { 'if-none-match': '"a"' } });
      expect$(sent(reply(304), asked)).toBeMarbles('(shv|)', { s: 'sent', h: 'headers', v: null });
    }));

  it('fails when the connection is lost, or nothing comes within the timeout', () =>
    marbles(({ expect$ }) => {
      expect$(sent('network')).toBeMarbles('(s#)', { s: 'sent' }, NetworkError);
      expect$(sent('hang', request('GET', { timeout: 50 }))).toBeMarbles('s 49ms #', { s: 'sent' }, TimeoutError);
    }));

  it('aborts what is under way when it is unsubscribed', () =>
    marbles(({ expect$, flush }) => {
      const fetch = scriptedFetch(['hang']);
      expect$(transport(fetch)(request()), '^ 9ms !').toBeMarbles('s', { s: { type: 'sent', attempt: 1 } });
      flush();
      expect(fetch.requests).toMatchObject([{ method: 'GET', url: URL, abortedAt: 10 }]);
    }));

  it('carries the request in its errors', async () => {
    const failure = await new Promise((resolve) => {
      transport(() => Promise.resolve(new Response(null, { status: 404 })))(request()).subscribe({ error: resolve });
    });
    expect(isHttpError(failure) && failure.request).toMatchObject({ method: 'GET', url: URL });
  });
});
