import { defer, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { limitWith, pacer, retryAfter } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { readable } from '../../src/headers/readable.js';

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
