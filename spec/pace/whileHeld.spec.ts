import { NEVER, Observable, of, range, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { concurrency, spacing } from 'coldfetch';
import { whileHeld } from '../../src/pace/whileHeld.js';
import { witness } from './witness.js';

describe('whileHeld', () => {
  it('gives the permit back where the work cannot even begin', () => {
    const limiter = witness();
    const broken = (): never => {
      throw new RangeError('no work');
    };
    let failure: unknown;
    whileHeld(limiter, {}, {}, broken).subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toBeInstanceOf(RangeError);
    expect(limiter.told.map(([, what]) => what)).toEqual(['settled', 'released']);
  });

  it('stops work that would not end by itself within its subscription', () => {
    const limiter = witness();
    const taken: number[] = [];
    whileHeld(limiter, {}, {}, () => range(0, 1e9))
      .pipe(take(2))
      .subscribe((value) => taken.push(value));
    expect(taken).toEqual([0, 1]);
    expect(limiter.told.at(-1)).toEqual([expect.any(Number), 'released']);
  });

  it('does not begin work that is unsubscribed when it hears of its wait', () => {
    const limiter = spacing(1000);
    limiter.take({});
    let begun = false;
    const work = (): Observable<never> => {
      begun = true;
      return NEVER;
    };
    // Its place is let go by the time that the hook is heard.
    const check = limiter.check.bind(limiter);
    let told = false;
    const going = { ...limiter, check: (ask: object) => (told ? 0 : check(ask)) };
    const held$ = new Observable<never>((subscriber) => {
      const onWait = (): void => {
        told = true;
        subscriber.unsubscribe();
        // Another who comes makes the queue look again.
        whileHeld(going, {}, {}, () => of(1)).subscribe();
      };
      whileHeld(going, {}, { onWait }, work).subscribe(subscriber);
    });
    held$.subscribe();
    expect([told, begun]).toEqual([true, false]);
  });

  it('fails with what the queue refuses it by, and does not begin', () => {
    const limiter = concurrency(1);
    limiter.take({});
    let failure: unknown;
    let begun = false;
    const work = (): Observable<never> => {
      begun = true;
      return NEVER;
    };
    whileHeld(limiter, {}, { maxQueued: 0 }, work).subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toMatchObject({ name: 'LimiterError', reason: 'queue-full' });
    expect(begun).toBe(false);
  });

  it('fails with a UsageError for an ask that no limiter could be fair to', () => {
    let failure: unknown;
    whileHeld(concurrency(1), { cost: NaN }, {}, () => NEVER).subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toMatchObject({ name: 'UsageError', message: "An ask's cost is NaN; give a number, 0 or more" });
  });
});
