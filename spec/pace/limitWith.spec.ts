import { acquire, concurrency, limitWith, spacing, tokenBucket } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { concat, finalize, NEVER, Observable, of, range, Subject, take, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { whileHeld } from '../../src/pace/limitWith.js';
import { witness } from './witness.js';

describe('limitWith', () => {
  it('subscribes to the source when the limiter lets it, once for each subscription', () =>
    marbles(({ cold, expect$ }) => {
      const limiter = concurrency(1);
      const source = cold('--a|');
      const limited$ = source.pipe(limitWith(limiter));
      expect$(limited$).toBeMarbles('--a|');
      expect$(limited$).toBeMarbles('-----a|');
      expect$(source).toHaveSubscriptions(['^--!', '---^--!']);
    }));

  it('stops work that is aborted before what it held up begins', () => {
    const limiter = concurrency(1);
    const log: string[] = [];
    const first = NEVER.pipe(
      finalize(() => log.push('first has stopped')),
      limitWith(limiter),
    ).subscribe();
    new Observable(() => void log.push('second begins')).pipe(limitWith(limiter)).subscribe();
    first.unsubscribe();
    expect(log).toEqual(['first has stopped', 'second begins']);
  });

  it('tells the limiter of an answer as soon as it is there, and gives back what it held at the end', () => {
    const limiter = witness();
    const body = new Subject<string>();
    concat(of(new Response(null, { status: 201 })), body)
      .pipe(limitWith(limiter))
      .subscribe();
    expect(limiter.told).toEqual([[expect.any(Number), 'settled', 201]]);
    body.complete();
    expect(limiter.told.at(-1)).toEqual([expect.any(Number), 'released']);
  });

  it('reads an error with a status as that answer, any other as none, and completing as 200', () => {
    const rejected = Object.assign(new Error('too many'), { status: 429, headers: new Headers() });
    const endings: [Observable<unknown>, number][] = [
      [throwError(() => rejected), 429],
      [throwError(() => new Error('connection lost')), 0],
      [of('a value'), 200],
    ];
    for (const [source, status] of endings) {
      const limiter = witness();
      source.pipe(limitWith(limiter)).subscribe({ error: () => undefined });
      expect(limiter.told.map(([, ...what]) => what)).toEqual([['settled', status], ['released']]);
    }
  });

  it('corrects the cost by what a value tells', () => {
    const limiter = tokenBucket({ rate: 1, per: 1000, burst: 100 });
    const complete = (used: number) => of({ used }).pipe(limitWith(limiter, { cost: 60 }, { cost: (answer) => answer.used }));
    const done: string[] = [];
    for (const used of [20, 15]) complete(used).subscribe({ complete: () => done.push(`${used}`) });
    expect(done).toEqual(['20', '15']);
    let delay = 0;
    acquire(limiter, { cost: 100 }, { onWait: (waiting) => (delay = waiting.delay) })
      .subscribe()
      .unsubscribe();
    expect(Math.round(delay / 1000)).toBe(35);
  });

  it('has given the permit back when its end is seen', () => {
    const limiter = concurrency(1);
    const log: string[] = [];
    const again = (): unknown =>
      of('second')
        .pipe(limitWith(limiter))
        .subscribe((value) => log.push(value));
    of('first')
      .pipe(limitWith(limiter))
      .subscribe({ next: (value) => log.push(value), complete: again });
    throwError(() => new Error('failed'))
      .pipe(limitWith(limiter))
      .subscribe({ error: again });
    expect(log).toEqual(['first', 'second', 'second']);
  });
});

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
    // The place is free by the time that the hook is called.
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
    expect(failure).toMatchObject({ name: 'UsageError', message: 'ask: cost is NaN; give a number, 0 or more' });
  });
});
