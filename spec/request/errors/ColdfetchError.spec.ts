import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { NEVER, of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { printableLines } from '../../../src/request/printable.js';
import {
  BodyError,
  coldFetch,
  ColdfetchError,
  createClient,
  DeadlineError,
  HttpError,
  isBodyError,
  isColdfetchError,
  isDeadlineError,
  isHttpError,
  isLimiterError,
  isNetworkError,
  isTimeoutError,
  isUsageError,
  LimiterError,
  NetworkError,
  TimeoutError,
  UsageError,
} from 'coldfetch';
import { RequestSummary } from '../../../src/request/RequestSummary.js';
import { errorOf } from '../../support/errorOf.js';

const summary = new RequestSummary(
  'GET',
  'https://api.test/users?token=s3cret#s3cret',
  new Headers({ authorization: 'Bearer s3cret', 'x-api-key': 's3cret' }),
);
const answer = new Response('s3cret', { status: 429, statusText: 'Too Many Requests', headers: { 'set-cookie': 'a=s3cret' } });
const errors = [
  ['HttpError', new HttpError(answer, summary), isHttpError],
  ['NetworkError', new NetworkError('lost', 'ECONNRESET', { request: summary }), isNetworkError],
  ['TimeoutError', new TimeoutError('late', 5, { request: summary }), isTimeoutError],
  ['DeadlineError', new DeadlineError('late', { request: summary }), isDeadlineError],
  ['BodyError', new BodyError('no JSON', { request: summary }), isBodyError],
  ['UsageError', new UsageError('bad', { request: summary }), isUsageError],
  ['LimiterError', new LimiterError('full', { reason: 'queue-full', request: summary }), isLimiterError],
] as const;

describe.each(errors)('%s', (name, error, guard) => {
  it('is an Error and a ColdfetchError, by its name, its classes and its guard', () => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(ColdfetchError);
    expect([error.name, guard(error), isColdfetchError(error)]).toEqual([name, true, true]);
    expect(String(error.stack)).toContain(name);
  });

  it('is told from all others by its guard', () => {
    for (const [other, value] of errors) expect(guard(value)).toBe(other === name);
    const named = Object.assign(new Error('looks like it'), { name, status: 429 });
    for (const value of [named, null, undefined, 'HttpError', 0, {}]) expect(guard(value)).toBe(false);
  });

  it('keeps its request, and shows neither query nor credentials of it', () => {
    expect(error.request).toBe(summary);
    const inspected = [{}, { depth: 9 }, { depth: 9, showHidden: true }].map((options) => inspect(error, options));
    for (const shown of [...inspected, JSON.stringify(error), String(error), String(error.stack)]) {
      expect(shown).not.toContain('s3cret');
    }
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name,
      message: error.message,
      request: { method: 'GET', url: 'https://api.test/users', headers: ['authorization', 'x-api-key'] },
    });
  });
});

describe('HttpError', () => {
  it('says method, origin, path, status, and nothing more', () => {
    expect(new HttpError(answer, summary).message).toBe('GET https://api.test/users: 429 Too Many Requests');
    expect(new HttpError(new Response(null, { status: 503 }), summary).message).toBe('GET https://api.test/users: 503');
  });

  it('has the answer, its header fields and its status', () => {
    const error = new HttpError(answer, summary);
    expect([error.response, error.headers, error.status, error.body]).toEqual([answer, answer.headers, 429, undefined]);
  });
});

describe('a message', () => {
  it('is one line that no terminal acts on, whatever it quotes', () => {
    expect(new UsageError('a\x1b[2J\nb\u202e.png is empty').message).toBe('a\\x1b[2J\\nb\\u202e.png is empty');
  });

  it('has an end', () => {
    expect(new UsageError('x'.repeat(100_000)).message.length).toBeLessThan(4_100);
  });

  it('has the excerpt that it is about on lines of its own', () => {
    expect(new UsageError('no\nanswer', { excerpt: printableLines('429 \x1b\n    ^') }).message).toBe('no\\nanswer\n429 \\x1b\n    ^');
  });
});

describe('LimiterError', () => {
  it('tells its reason, in logs too, and the 429 that it goes back to', () => {
    const cause = new HttpError(answer, summary);
    const error = new LimiterError('The server asks to wait 1200 s', { reason: 'max-hint', cause });
    expect([error.reason, error.cause]).toEqual(['max-hint', cause]);
    expect(error.toJSON()).toMatchObject({ name: 'LimiterError', reason: 'max-hint' });
    expect('cause' in new LimiterError('full', { reason: 'queue-full' })).toBe(false);
  });
});

describe('DeadlineError', () => {
  it('has the last failure as its cause, and no reason: the deadline is it', () => {
    const cause = new HttpError(answer, summary);
    const error = new DeadlineError('late', { cause });
    expect(error.cause).toBe(cause);
    expect('reason' in error).toBe(false);
    expect('cause' in new DeadlineError('late')).toBe(false);
  });
});

describe('guards', () => {
  it('know the errors of another realm and of another copy', async () => {
    const foreign: unknown = runInNewContext(`Object.assign(new Error('x'), { [Symbol.for('coldfetch.error')]: 'HttpError' })`);
    expect([foreign instanceof Error, isHttpError(foreign), isNetworkError(foreign)]).toEqual([false, true, false]);
    vi.resetModules();
    const copy = await import('coldfetch');
    expect(isHttpError(new copy.HttpError(answer, summary))).toBe(true);
    expect(new copy.HttpError(answer, summary)).not.toBeInstanceOf(HttpError);
  });
});

describe('what is logged of a failure', () => {
  it.each([
    ['an answer', () => of(new Response('s3cret', { status: 500 }))],
    ['a lost connection', () => Promise.reject(new TypeError('fetch failed', { cause: new Error('other side closed') }))],
    ['bad usage that fetch noticed', () => Promise.reject(new TypeError('Failed to parse URL from https://u:s3cret@api.test/?k=s3cret'))],
    ['a timeout', () => NEVER],
  ])('holds no secret: %s', async (_, fetch) => {
    const init = { fetch, timeout: 5, headers: { authorization: 'Bearer s3cret' } };
    const error = await errorOf(coldFetch('https://api.test/?key=s3cret', init));
    const viaClient = await errorOf(createClient({ ...init, baseUrl: 'https://api.test', retry: false }).get('/?key=s3cret'));
    for (const shown of [error, viaClient].flatMap((one) => [inspect(one, { depth: 9 }), JSON.stringify(one), String(one)])) {
      expect(shown).not.toContain('s3cret');
    }
  });
});
