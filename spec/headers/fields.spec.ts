import '@angular/compiler';
import { HttpHeaders } from '@angular/common/http';
import { AxiosHeaders } from 'axios';
import { limitWith, pacer, retryAfter } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { defer, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { HeadersLike } from '../../src/headers/HeadersLike.js';
import { fieldNames, isCached, readable, textOf } from '../../src/headers/fields.js';
import { parseRetryAfter } from '../../src/headers/parseRetryAfter.js';
import { readRateLimit } from '../../src/headers/rateLimit/readRateLimit.js';
import { delaySources } from '../../src/headers/sources/delaySources.js';

describe('textOf', () => {
  it.each([
    ['3', '3'],
    [3, '3'],
    [true, 'true'],
    [['3', 5], '3, 5'],
    [null, undefined],
    [undefined, undefined],
    [Object.create(null), undefined],
    [Symbol('3'), undefined],
  ])('reads %o as %o', (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});

describe('header fields whose values are no strings', () => {
  const foreign = (value: unknown): { get: (name: string) => string | null } => ({ get: () => value as string });

  it('are read where they are numbers', () => {
    expect(parseRetryAfter(3 as unknown as string, 0)).toBe(3000);
    expect(delaySources.retryAfter(foreign(3), 0)).toBe(3000);
    expect(delaySources.retryAfterMs(foreign(3), 0)).toBe(3);
    expect(
      delaySources.rateLimit(
        { get: (name) => (name === 'x-ratelimit-reset' ? 7 : name === 'x-ratelimit-remaining' ? 0 : null) as never },
        0,
      ),
    ).toBe(7000);
  });

  it.each([5, 0, -1, NaN, true, [], [3], {}, Object.create(null), Symbol('x'), 5n])('never make a reader throw: %o', (value) => {
    expect(() => {
      for (const source of Object.values(delaySources)) source(foreign(value), 0);
      parseRetryAfter(value as string, 0);
      readRateLimit(foreign(value), 0);
    }).not.toThrow();
  });
});

describe('isCached', () => {
  it.each([
    ['1', true],
    ['86400', true],
    [7, true],
    ['0', false],
    ['soon', false],
    [Symbol('age'), false],
    [null, false],
  ])('of an age of %o: %s', (age, cached) => {
    expect(isCached({ get: (name) => (name === 'age' ? (age as string) : null) })).toBe(cached);
  });
});

describe('fieldNames', () => {
  it.each<[string, object]>([
    ['fetch', new Headers({ 'Retry-After-Short': '3' })],
    ['Angular', new HttpHeaders({ 'Retry-After-Short': '3' })],
    ['axios', AxiosHeaders.from({ 'Retry-After-Short': '3' })],
  ])('lists those of %s', (_, headers) => {
    expect(fieldNames(headers as HeadersLike)).toEqual(['retry-after-short']);
  });

  it('is empty for headers that cannot list theirs', () => {
    expect(fieldNames({ get: () => '3' })).toEqual([]);
  });
});

const broken = {
  get: (): never => {
    throw new RangeError('no fields here');
  },
};

describe('readable', () => {
  it('reads what can be read', () => {
    expect(readable({ get: (name) => `${name}!` }).get('age')).toBe('age!');
  });

  it('lists the fields of headers that can', () => {
    expect(readable({ get: () => null, keys: () => ['Age'] }).keys?.()).toEqual(['age']);
  });

  it('takes what cannot be read for missing', () => {
    expect(readable(broken).get('retry-after')).toBeNull();
    expect(readable({ ...broken, keys: broken.get }).keys?.()).toEqual([]);
  });

  it('leaves the fields of the platform as they are', () => {
    const headers = new Headers();
    expect(readable(headers)).toBe(headers);
  });
});

describe('a foreign error whose header fields cannot be read', () => {
  const error = Object.assign(new Error('too many'), { status: 429, headers: broken, request: { method: 'GET', headers: broken } });

  it('is retried as one without', () =>
    marbles(({ expect$ }) => {
      let attempt = 0;
      const source = defer(() => (attempt++ === 0 ? throwError(() => error) : of('a')));
      expect$(source.pipe(retryAfter({ random: () => 0.5 }))).toBeMarbles('500ms (a|)');
    }));

  it('passes a limiter unchanged, and closes its gate', () => {
    const limiter = pacer();
    let failure: unknown;
    throwError(() => error)
      .pipe(limitWith(limiter))
      .subscribe({ error: (thrown: unknown) => (failure = thrown) });
    expect(failure).toBe(error);
    expect(limiter.check({})).toBeGreaterThan(0);
  });
});
