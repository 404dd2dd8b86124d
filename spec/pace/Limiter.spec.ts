import fc from 'fast-check';
import { concat, defer, EMPTY, map, mergeMap, NEVER, type Observable, of, Subject, take, takeUntil, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  adaptiveConcurrency,
  allOf,
  circuitBreaker,
  concurrency,
  type Limiter,
  limitWith,
  pacer,
  perOrigin,
  retryBudget,
  spacing,
  tokenBucket,
} from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { elapsed } from '../../src/time.js';
import { forAll } from '../support/forAll.js';

/** Behaviour of a job once it has a permit; the first three act at once, within the subscription. */
const SOURCES: Readonly<Record<string, (lasts: number) => Observable<unknown>>> = {
  'a value at once': () => of('value'),
  'an error at once': () => throwError(() => new Error('failed')),
  'nothing at once': () => EMPTY,
  'a 503 at once': () => throwError(() => ({ status: 503, headers: new Headers() })),
  'a throwing subscription': () =>
    defer(() => {
      throw new Error('no source');
    }),
  'a value later': (lasts) => timer(lasts),
  'a 429 later': (lasts) =>
    timer(lasts).pipe(mergeMap(() => throwError(() => ({ status: 429, headers: new Headers({ 'retry-after': '1' }) })))),
  'a 503 later': (lasts) => timer(lasts).pipe(mergeMap(() => throwError(() => ({ status: 503, headers: new Headers() })))),
  'an answer, then a body': (lasts) => concat(of({ status: 200, headers: new Headers() }), timer(lasts)),
  'no end': () => NEVER,
};

/** Nobody is still about by then, in ms. */
const STUCK = 200_000;

const LIMITERS: Readonly<Record<string, () => Limiter>> = {
  concurrency: () => concurrency(2),
  spacing: () => spacing(7),
  tokenBucket: () => tokenBucket({ rate: 1, per: 9, burst: 3 }),
  adaptiveConcurrency: () => adaptiveConcurrency({ initial: 2 }),
  circuitBreaker: () => circuitBreaker({ consecutiveFailures: 2, breakDuration: 20 }),
  retryBudget: () => retryBudget({ burst: 1, minRetriesPerSecond: 40 }),
  pacer: () => pacer(),
  perOrigin: () => perOrigin(() => concurrency(1)),
  allOf: () =>
    allOf(
      concurrency(3),
      tokenBucket({ rate: 1, per: 5, burst: 2 }),
      circuitBreaker({ consecutiveFailures: 3, breakDuration: 15 }),
      pacer(),
    ),
};

const jobs = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: 60 }),
    source: fc.constantFrom(...Object.keys(SOURCES)),
    lasts: fc.integer({ min: 0, max: 30 }),
    /** Moment of unsubscribing, or the callback in which that happens. */
    aborted: fc.oneof(fc.integer({ min: 0, max: 80 }), fc.constantFrom('by its first value', 'in its first value', 'never')),
    /** Sends one like it when it ends. */
    again: fc.boolean(),
    ask: fc.record({
      url: fc.constantFrom('https://a.test/1', 'https://b.test/', undefined),
      priority: fc.constantFrom('interactive', 'normal', 'background'),
      rejections: fc.integer({ min: 0, max: 2 }),
      retry: fc.boolean(),
      maxWait: fc.constantFrom(5, 50, undefined),
    }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Counts the permits that are out, and refuses one that is ended twice. */
function counting(limiter: Limiter): Limiter & { out: number; taken: number } {
  const counted = {
    ...limiter,
    out: 0,
    taken: 0,
    take: (ask: Parameters<Limiter['take']>[0]) => {
      const permit = limiter.take(ask);
      counted.out++;
      counted.taken++;
      let released = false;
      return {
        settle: permit.settle.bind(permit),
        release: () => {
          if (!released) counted.out--;
          released = true;
          permit.release();
        },
      };
    },
  };
  return counted;
}

describe('the permits of a limiter', () => {
  it.each(Object.entries(LIMITERS))('come back whatever ends, fails or is aborted, and nobody waits for ever: %s', (_name, make) => {
    forAll(
      fc.property(jobs, (all) => {
        marbles(({ flush }) => {
          const limiter = counting(make());
          let waiting = 0;
          let last = 0;
          for (const { start, source, lasts, aborted, again, ask } of all) {
            const stop$ = new Subject<void>();
            const run = (more: boolean): void => {
              waiting++;
              const ended = (): void => {
                waiting--;
                last = elapsed();
                if (more && again) run(false);
              };
              const work$ = defer(() => SOURCES[source]?.(lasts) ?? EMPTY).pipe(limitWith(limiter, ask));
              const least = source === 'no end' ? 100 : STUCK;
              const bounded$ = work$.pipe(
                aborted === 'by its first value' ? take(1) : map((value) => value),
                takeUntil(stop$),
                takeUntil(timer(typeof aborted === 'number' ? aborted : least)),
              );
              bounded$.subscribe({
                next: () => {
                  if (aborted === 'in its first value') stop$.next();
                },
                error: ended,
                complete: ended,
              });
            };
            timer(start).subscribe(() => run(true));
          }
          flush();
          expect([limiter.out, waiting]).toEqual([0, 0]);
          expect(last).toBeLessThan(STUCK);
        });
      }),
      { numRuns: 60 },
    );
  });
});
