import { from, mergeMap, of, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { marbles, reply } from 'coldfetch/testing';

describe('reply', () => {
  it('is a Response with status, headers and ok', () => {
    const response = reply(404, { headers: { 'x-kind': 'user' }, statusText: 'Not Found', url: 'https://api.test/users/1' });
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ status: 404, ok: false, statusText: 'Not Found', url: 'https://api.test/users/1', type: 'default' });
    expect(response.headers.get('x-kind')).toBe('user');
    expect(reply(204).ok).toBe(true);
  });

  it.each([0, 101, 103, 418, 599])('takes the status %d', (status) => {
    expect(reply(status).status).toBe(status);
  });

  it.each([100, 600, -1, 200.5, NaN])('refuses the status %d', (status) => {
    expect(() => reply(status)).toThrow(`reply(${status}): a status is 0 or an integer from 101 to 599`);
  });

  it.each([204, 205, 304])('refuses a body where the status %d has none', (status) => {
    expect(() => reply(status, { body: 'x' })).toThrow(`reply(${status}): this status has no body`);
  });

  it.each<[object, string]>([
    [{ header: {} }, 'reply(200): header is unknown; there are headers, body, json'],
    [{ latency: 3 }, 'reply(200): latency is unknown; say it as delay'],
    [{ body: { a: 1 } }, 'reply: body is { a: 1 }; give text, bytes or an observable of them, or json: ...'],
    [{ delay: -1 }, 'reply: delay is -1 ms; give 0 or more'],
    [{ delay: NaN }, "'NaN' is not a duration"],
  ])('refuses %o', (init, message) => {
    expect(() => reply(200, init)).toThrow(message);
  });

  it('refuses two bodies at once', () => {
    expect(() => reply(200, { body: 'a', json: 'b' })).toThrow('give one of body, json and chunks');
  });

  it('says what its body is, unless the headers do', () => {
    expect(reply(200, { json: {} }).headers.get('content-type')).toBe('application/json');
    expect(reply(200, { body: 'a' }).headers.get('content-type')).toBe('text/plain;charset=UTF-8');
    expect(reply(200, { json: {}, headers: { 'content-type': 'application/problem+json' } }).headers.get('content-type')).toBe(
      'application/problem+json',
    );
  });

  it('is read while virtual time stands still', () =>
    marbles(({ expect$ }) => {
      const read = of(
        () => reply(200, { json: { id: 1 } }).json(),
        () => reply(200, { body: 'text' }).text(),
        () => reply(200, { body: 'ab' }).bytes(),
        () => reply(200, { body: new Uint8Array([1, 2]) }).arrayBuffer(),
      ).pipe(mergeMap((method) => from(method())));
      expect$(read).toBeMarbles('(abcd|)', { a: { id: 1 }, b: 'text', c: new Uint8Array([97, 98]), d: new Uint8Array([1, 2]).buffer });
    }));

  it('is read in real time too', async () => {
    expect(await reply(200, { json: { id: 1 } }).json()).toEqual({ id: 1 });
    const blob = await reply(200, { json: [] }).blob();
    expect([blob.type, await blob.text()]).toEqual(['application/json', '[]']);
    await expect(reply(200, { body: '{' }).json()).rejects.toThrow(SyntaxError);
  });

  it('is read once', async () => {
    const response = reply(200, { body: 'a' });
    expect(response.bodyUsed).toBe(false);
    await response.text();
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow('already been read');
    expect(() => response.clone()).toThrow('clone the response before');
  });

  it('has an independent clone', async () => {
    const response = reply(200, { body: 'a', headers: { 'x-n': '1' } });
    const clone = response.clone();
    await response.text();
    expect(await clone.text()).toBe('a');
    expect(clone.headers.get('x-n')).toBe('1');
  });

  it('plays a body in marbles, as it is read', () =>
    marbles(({ expect$ }) => {
      const response = reply(200, { chunks: 'a 5s b|', values: { a: '{"id":', b: '1}' } });
      expect$(from(response.json())).toBeMarbles('5s --(a|)', { a: { id: 1 } });
    }));

  it('stalls where its chunks have no end', () =>
    marbles(({ expect$ }) => {
      expect$(from(reply(200, { chunks: 'a' }).text())).toBeMarbles('');
    }));

  it('breaks off where its chunks fail', () =>
    marbles(({ expect$ }) => {
      expect$(from(reply(200, { chunks: 'a 3s #' }).text())).toBeMarbles('3s -#', undefined, {
        message: 'terminated',
        cause: { code: 'UND_ERR_SOCKET' },
      });
      expect$(from(reply(200, { chunks: '#', error: new RangeError('mine') }).text())).toBeMarbles('#', undefined, RangeError);
    }));

  it('takes its pieces from an observable', () =>
    marbles(({ cold, expect$ }) => {
      const pieces = cold('             a-b|', { a: 'he', b: new Uint8Array([121]) });
      const response = reply(200, { body: pieces });
      expect$(from(response.text())).toBeMarbles('---(a|)', { a: 'hey' });
      expect$(pieces).toHaveSubscriptions('^--!');
    }));

  it('ends its pieces, and remembers when, on cancel', () =>
    marbles(({ cold, time, expect$ }) => {
      const pieces = cold('  a 9s b', { a: 'a', b: 'b' });
      const response = reply(200, { body: pieces });
      const reader = response.body?.getReader();
      void reader?.read();
      const cancelling = cold('3s (a|)').pipe(mergeMap(() => from(reader?.cancel() ?? [])));
      expect$(cancelling).toBeMarbles('3s (a|)', { a: undefined });
      expect$(pieces).toHaveSubscriptions('^ 2999ms !');
      expect$(of(response).pipe(mergeMap(() => cold('4s (a|)', { a: response })))).toBeMarbles('4s (a|)', {
        a: expect.objectContaining({ cancelledAt: time('3s') }),
      });
    }));

  it('is cancelled by its reader alone while that has the lock', async () => {
    const { body } = reply(200, { body: 'a' });
    const reader = body?.getReader();
    expect(body?.locked).toBe(true);
    await expect(body?.cancel()).rejects.toThrow('its reader has to cancel it');
    expect(() => body?.getReader()).toThrow('somebody else reads it');
    reader?.releaseLock();
    expect(body?.locked).toBe(false);
    await expect(reader?.read()).rejects.toThrow('released its lock');
    await expect(body?.cancel()).resolves.toBeUndefined();
  });

  it('gives its chunks to a reader one by one, then says done', () =>
    marbles(({ expect$ }) => {
      const reader = reply(200, { chunks: 'a--b|' }).body?.getReader();
      const reads = of(1, 2, 3, 4).pipe(
        mergeMap(() => from(reader?.read() ?? [])),
        toArray(),
      );
      expect$(reads).toBeMarbles('----(a|)', {
        a: [
          { done: false, value: new Uint8Array([97]) },
          { done: false, value: new Uint8Array([98]) },
          { done: true, value: undefined },
          { done: true, value: undefined },
        ],
      });
    }));

  it('works in a plain TestScheduler.run', () =>
    new TestScheduler((received, expected) => expect(received).toEqual(expected)).run(({ expectObservable }) => {
      expectObservable(from(reply(200, { chunks: 'a 5s b|', values: { a: '[', b: ']' } }).json())).toBe('5s --(a|)', { a: [] });
    }));

  it('names a chunk that its values lack', () => {
    expect(() => reply(200, { chunks: 'a|', values: {} })).toThrow("values has no 'a', which chunks 'a|' uses");
  });
});
