import { describe, expect, it } from 'vitest';
import { acquire, allOf, concurrency, limitWith, perOrigin, spacing, tokenBucket, UsageError } from 'coldfetch';

describe('a limiter that is none', () => {
  it.each<[string, () => unknown]>([
    ['allOf: the limiter is null', () => allOf(null as never)],
    ['allOf: the limiter is an object without check, take and changed$', () => allOf(concurrency(1), {} as never)],
    ['acquire: the limiter is an object without check, take and changed$', () => acquire({} as never)],
    ['acquire: the limiter is undefined', () => acquire(undefined as never)],
    ['limitWith: the limiter is undefined', () => limitWith(undefined as never)],
    ['perOrigin: make is undefined', () => perOrigin(undefined as never)],
    ['spacing: ms is null', () => spacing(null as never)],
    ['tokenBucket: the options are undefined', () => tokenBucket(undefined as never)],
  ])('is refused at the call, in one line: %s', (problem, make) => {
    expect(make).toThrow(UsageError);
    expect(make).toThrow(problem);
    expect(make).not.toThrow(/\n/);
  });
});
