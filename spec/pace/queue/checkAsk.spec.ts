import {
  acquire,
  adaptiveConcurrency,
  allOf,
  type Ask,
  circuitBreaker,
  concurrency,
  createClient,
  limitWith,
  pacer,
  perOrigin,
  retryBudget,
  spacing,
  tokenBucket,
  UsageError,
} from 'coldfetch';
import { sharedConcurrency, sharedLimiter } from 'coldfetch/redis';
import { describe, expect, it } from 'vitest';

describe('a limiter that is none', () => {
  it.each<[string, () => unknown]>([
    ['allOf: the limiter is null', () => allOf(null as never)],
    ['allOf: the limiter is an object without check, take and changed$', () => allOf(concurrency(1), {} as never)],
    ['acquire: the limiter is an object without check, take and changed$', () => acquire({} as never)],
    ['acquire: the limiter is undefined', () => acquire(undefined as never)],
    ['limitWith: the limiter is undefined', () => limitWith(undefined as never)],
    ['perOrigin: make is undefined', () => perOrigin(undefined as never)],
    ['spacing: ms is null', () => spacing(null as never)],
    ['tokenBucket: the argument is undefined', () => tokenBucket(undefined as never)],
  ])('is refused at the call, in one line: %s', (problem, make) => {
    expect(make).toThrow(UsageError);
    expect(make).toThrow(problem);
    expect(make).not.toThrow(/\n/);
  });
});

const limiter = concurrency(1);
const client = { ping: async () => '', eval: async () => '', evalsha: async () => '' };

describe('options of limiters that nobody reads', () => {
  it.each<[string, (options: never) => unknown, object]>([
    ['acquire: maxQueue is unknown; there are maxQueued, onWait', (options) => acquire(limiter, {}, options), { maxQueue: 5 }],
    ['limitWith: maxQueue is unknown; there are maxQueued, onWait, cost', (options) => limitWith(limiter, {}, options), { maxQueue: 5 }],
    [
      'limitWith: maxQueued is not a part of an ask; give it as limitWith(limiter, ask, { maxQueued })',
      (ask) => limitWith(limiter, ask),
      { maxQueued: 5 },
    ],
    ['tokenBucket: interval is unknown; say it as per', tokenBucket, { rate: 1, interval: 1000 }],
    ['adaptiveConcurrency: limit is unknown; there are initial, min, max', adaptiveConcurrency, { limit: 4 }],
    ['circuitBreaker: resetTimeout is unknown; say it as breakDuration', circuitBreaker, { resetTimeout: 4 }],
    ['circuitBreaker: halfOpenAfter is unknown; say it as breakDuration', circuitBreaker, { halfOpenAfter: 4 }],
    ['retryBudget: percentCanRetry is unknown; say it as ratio', retryBudget, { percentCanRetry: 0.1 }],
    ['pacer: maxWait is unknown; say it as pace: { maxWait } of a client', pacer, { maxWait: 5 }],
    ['pace: concurrency is unknown; say it as limiter: concurrency(n)', (pace) => createClient({ pace }), { concurrency: 5 }],
    ['sharedLimiter: url is unknown; there are client, name, quota', sharedLimiter, { client, url: 'redis://localhost' }],
    ['sharedConcurrency: limit is unknown; there are client, max, name', sharedConcurrency, { client, max: 1, limit: 5 }],
  ])('are refused: %s', (problem, make, options) => {
    expect(() => make(options as never)).toThrow(UsageError);
    expect(() => make(options as never)).toThrow(problem);
  });

  it.each([
    ['pace: cost is 5; give a function', { cost: 5 }],
    ['pace: credential is me; give a function', { credential: 'me' }],
    ['pace: the limiter is an object without check, take and changed$; give one', { limiter: {} }],
    ['pace: the limiter is null; give one', { limiter: null }],
  ])('or that are none: %s', (problem, pace) => {
    expect(() => createClient({ pace: pace as never })).toThrow(problem);
  });

  it('do not include those that are undefined', () => {
    const ask: Ask = { url: undefined, cost: undefined };
    expect(() => limitWith(limiter, ask, { maxQueued: undefined, cost: undefined })).not.toThrow();
  });
});
