import { config, defer, map, type Observable, of, Subject, type Subscription, take, takeUntil, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { acquire } from '../../src/pace/acquire.js';
import { concurrency } from '../../src/pace/concurrency.js';
import { limitWith } from '../../src/pace/limitWith.js';
import type { Ask, Limiter } from '../../src/pace/Limiter.js';
import { makePermit } from '../../src/pace/makePermit.js';
import { pacer } from '../../src/pace/pacer.js';
import { perOrigin } from '../../src/pace/perOrigin.js';
import { spacing } from '../../src/pace/spacing.js';
import { tokenBucket } from '../../src/pace/tokenBucket.js';
import { UsageError } from '../../src/request/errors/UsageError.js';

/** Lets nobody pass until it is opened; counts how often it is asked. */
function door(): Limiter & { open(): void; asked: number } {
  const changed = new Subject<void>();
  let isOpen = false;
  const limiter = {
    asked: 0,
    changed$: changed,
    check: () => {
      limiter.asked++;
      return isOpen ? 0 : Infinity;
    },
    take: () => makePermit({}),
    open: () => {
      isOpen = true;
      changed.next();
    },
  };
  return limiter;
}

function granted(limiter: Limiter, asks: readonly (Ask & { readonly name: string })[], opens: () => void): string[] {
  const order: string[] = [];
  for (const ask of asks) acquire(limiter, ask).subscribe(() => order.push(ask.name));
  opens();
  return order;
}

/** A permit, given back after so many ms. */
const held = (limiter: Limiter, ms: number): Observable<string> =>
  acquire(limiter).pipe(
    map(() => 'p'),
    takeUntil(timer(ms)),
  );

describe('acquire', () => {
  it('emits once and stays open: the permit is the subscription', () =>
    marbles(({ expect$ }) => {
      const permit$ = acquire(concurrency(1)).pipe(map(() => 'p'));
      expect$(permit$.pipe(takeUntil(timer(5)))).toBeMarbles('p----|');
    }));

  it('releases when it is unsubscribed, to the next in line', () =>
    marbles(({ expect$ }) => {
      const limiter = concurrency(1);
      expect$(held(limiter, 3)).toBeMarbles('p--|');
      expect$(held(limiter, 6)).toBeMarbles('---p--|');
    }));

  it('withdraws an ask that is unsubscribed while it waits', () =>
    marbles(({ expect$ }) => {
      const limiter = concurrency(1);
      expect$(held(limiter, 4)).toBeMarbles('p---|');
      expect$(held(limiter, 2)).toBeMarbles('--|');
      expect$(held(limiter, 6)).toBeMarbles('----p-|');
    }));

  it('lets those with the fewest 429s go first, then the higher priority, then the older', () => {
    const limiter = door();
    const asks = [
      { name: 'rejected twice', rejections: 2, priority: 'interactive' },
      { name: 'background', priority: 'background' },
      { name: 'first', priority: 'normal' },
      { name: 'second', priority: 'normal' },
      { name: 'interactive', priority: 'interactive' },
      { name: 'rejected once', rejections: 1, priority: 'background' },
    ] as const;
    expect(granted(limiter, asks, () => limiter.open())).toEqual([
      'interactive',
      'first',
      'second',
      'background',
      'rejected once',
      'rejected twice',
    ]);
  });

  it('never starves a low priority: it rises with its age', () =>
    marbles(({ flush }) => {
      const limiter = spacing(1000);
      let grantedAt = -1;
      acquire(limiter).pipe(take(1)).subscribe();
      acquire(limiter, { priority: 'background' })
        .pipe(take(1))
        .subscribe(() => (grantedAt = seconds));
      let seconds = 0;
      timer(0, 500)
        .pipe(take(400))
        .subscribe((n) => {
          seconds = n / 2;
          acquire(limiter, { priority: 'interactive' }).pipe(take(1)).subscribe();
        });
      flush();
      expect(grantedAt).toBeGreaterThan(60);
      expect(grantedAt).toBeLessThan(130);
    }));

  it('does not let one origin hold up another', () =>
    marbles(({ expect$ }) => {
      const limiter = perOrigin(() => concurrency(1));
      const held = (url: string) =>
        acquire(limiter, { url }).pipe(
          map(() => 'p'),
          takeUntil(timer(3)),
        );
      expect$(held('https://a.test/1')).toBeMarbles('p--|');
      expect$(held('https://a.test/2')).toBeMarbles('---(p|)');
      expect$(held('https://b.test/')).toBeMarbles(' p--|');
    }));

  it('fails with a LimiterError when the queue is full', () => {
    const limiter = door();
    const failures: unknown[] = [];
    for (let i = 0; i < 3; i++)
      acquire(limiter, { url: 'https://a.test/?key=secret' }, { maxQueued: 2 }).subscribe({
        error: (error: unknown) => failures.push(error),
      });
    expect(failures).toMatchObject([
      {
        name: 'LimiterError',
        reason: 'queue-full',
        message: 'The queue for https://a.test/ is full, with 2 requests in it; send fewer at once, or raise maxQueued',
      },
    ]);
  });

  it('fails when its deadline passes while it waits, with what the wait goes back to as cause', () =>
    marbles(({ expect$ }) => {
      const cause = new Error('429');
      const limiter: Limiter = { ...door(), estimate: () => ({ source: 'gate', delay: Infinity, cause }) };
      expect$(acquire(limiter, { deadline: 7, url: 'https://a.test/x?key=secret' })).toBeMarbles('7ms #', undefined, {
        name: 'DeadlineError',
        message: 'A request waited for its turn for https://a.test/x until its deadline',
        cause,
      });
      expect$(acquire(door(), { deadline: 7 })).toBeMarbles('7ms #', undefined, {
        name: 'DeadlineError',
        message: 'A request waited for its turn until its deadline',
      });
    }));

  it('fails with a LimiterError when it has waited for maxWait', () =>
    marbles(({ expect$ }) => {
      const cause = new Error('429');
      const limiter: Limiter = { ...door(), estimate: () => ({ source: 'gate', delay: Infinity, cause }) };
      expect$(acquire(limiter, { maxWait: 5 })).toBeMarbles('5ms #', undefined, {
        name: 'LimiterError',
        reason: 'max-wait',
        message: 'A request waited for its turn for as long as maxWait lets it; raise maxWait to wait longer',
        cause,
      });
    }));

  it('has whichever is over first decide, the deadline if both are', () =>
    marbles(({ expect$ }) => {
      expect$(acquire(door(), { deadline: 7, maxWait: 5 })).toBeMarbles('5ms #', undefined, { name: 'LimiterError', reason: 'max-wait' });
      expect$(acquire(door(), { deadline: 5, maxWait: 7 })).toBeMarbles('5ms #', undefined, { name: 'DeadlineError' });
      expect$(acquire(door(), { deadline: 6, maxWait: 6 })).toBeMarbles('6ms #', undefined, { name: 'DeadlineError' });
    }));

  describe('refuses at once, by the shortest possible wait,', () => {
    const cause = new Error('429');
    const knowing = (least: number): Limiter => ({
      ...door(),
      estimate: () => ({ source: 'gate', delay: 2 * least, least, because: '3 requests are ahead; ', cause }),
    });

    it('what its deadline does not allow', () =>
      marbles(({ expect$ }) => {
        expect$(acquire(knowing(8000), { deadline: 8000, url: 'https://a.test/x?key=secret' })).toBeMarbles('#', undefined, {
          name: 'DeadlineError',
          message: 'The deadline cannot be kept for https://a.test/x: 3 requests are ahead; the turn comes in 8 s, and 8 s are left',
          cause,
        });
        expect$(acquire(knowing(8000), { deadline: 8001 }), '^ 5ms !').toBeMarbles('-');
      }));

    it('what maxWait does not allow', () =>
      marbles(({ expect$ }) => {
        expect$(acquire(knowing(8000), { maxWait: 7999 })).toBeMarbles('#', undefined, {
          name: 'LimiterError',
          reason: 'max-wait',
          message: 'maxWait cannot be kept: 3 requests are ahead; the turn comes in 8 s, and maxWait leaves 8 s; raise it to wait longer',
          cause,
        });
        expect$(acquire(knowing(8000), { maxWait: 8000 }), '^ 5ms !').toBeMarbles('-');
      }));

    it('but not by the expected one, which may be wrong', () =>
      marbles(({ expect$ }) => {
        const limiter: Limiter = { ...door(), estimate: () => ({ source: 'gate', delay: 60_000 }) };
        expect$(acquire(limiter, { maxWait: 9 })).toBeMarbles('9ms #', undefined, { name: 'LimiterError' });
      }));

    it('an ask that waits already, as soon as waiting takes longer than was told', () =>
      marbles(({ expect$ }) => {
        const delayed$ = new Subject<void>();
        let least = 1000;
        const limiter: Limiter = { ...door(), delayed$, estimate: () => ({ source: 'gate', delay: least, least }) };
        timer(6).subscribe(() => {
          least = 5000;
          delayed$.next();
        });
        expect$(acquire(limiter, { maxWait: 4000 })).toBeMarbles('6ms #', undefined, { name: 'LimiterError', reason: 'max-wait' });
        expect$(acquire(limiter, { deadline: 4000 })).toBeMarbles('6ms #', undefined, { name: 'DeadlineError' });
        expect$(acquire(limiter, { maxWait: 6000 }), '^ 9ms !').toBeMarbles('-');
      }));
  });

  it('tells an ask that it waits behind how many, but not one that need not', () => {
    const told: unknown[] = [];
    const bucket = tokenBucket({ rate: 1, burst: 1 });
    const limiter: Limiter = { ...bucket, estimate: (_ask, ahead) => ({ source: 'gate', delay: (ahead + 1) * 1000 }) };
    const subscriptions = [0, 1, 2].map(() => acquire(limiter, {}, { onWait: (waiting) => told.push(waiting) }).subscribe());
    subscriptions.forEach((subscription) => subscription.unsubscribe());
    expect(told).toEqual([
      { source: 'gate', delay: 1000, position: 0 },
      { source: 'gate', delay: 2000, position: 1 },
    ]);
  });

  it('tells where an ask stands though its limiter says nothing of the wait', () => {
    const told: unknown[] = [];
    const subscription = acquire(door(), {}, { onWait: (waiting) => told.push(waiting) }).subscribe();
    subscription.unsubscribe();
    expect(told).toEqual([{ source: 'queue', delay: Infinity, position: 0 }]);
  });

  it('fails with what the limiter throws', () => {
    const limiter = {
      ...door(),
      check: () => {
        throw new RangeError('never');
      },
    };
    let failure: unknown;
    acquire(limiter).subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toBeInstanceOf(RangeError);
  });

  it('fails with what the limiter throws when it is asked how long the wait will be', () => {
    const limiter: Limiter = {
      ...door(),
      estimate: () => {
        throw new RangeError('no idea');
      },
    };
    const failures: unknown[] = [];
    for (let i = 0; i < 2; i++) acquire(limiter).subscribe({ error: (error: unknown) => failures.push(error) });
    expect(failures).toEqual([expect.any(RangeError), expect.any(RangeError)]);
  });

  it('lets what one hook throws touch nobody: it is an unhandled error', () =>
    marbles(({ expect$, flush }) => {
      const unhandled: unknown[] = [];
      config.onUnhandledError = (error) => unhandled.push(error);
      const limiter = { ...door(), estimate: () => ({ source: 'gate', delay: 1 }) };
      const onWait = (): void => {
        throw new RangeError('from the hook');
      };
      const late = { name: 'LimiterError', reason: 'max-wait' };
      expect$(acquire(limiter, { maxWait: 3 }, { onWait })).toBeMarbles('3ms #', undefined, late);
      expect$(acquire(limiter, { maxWait: 4 })).toBeMarbles('         4ms #', undefined, late);
      flush();
      config.onUnhandledError = null;
      expect(unhandled).toEqual([expect.any(RangeError)]);
    }));

  it('bears a limiter that changes at once when it is listened to', () => {
    const limiter = door();
    const granted: unknown[] = [];
    const changed$ = defer(() => {
      limiter.open();
      return of(undefined);
    });
    acquire({ ...limiter, changed$ }).subscribe((permit) => granted.push(permit));
    expect(granted).toHaveLength(1);
  });

  it.each<[string, Ask]>([
    ['priority is urgent; give one of interactive, normal, background', { priority: 'urgent' as never }],
    ['cost is NaN; give a number, 0 or more', { cost: NaN }],
    ['cost is -1; give a number, 0 or more', { cost: -1 }],
    ['rejections is NaN; give a number, 0 or more', { rejections: NaN }],
    ['maxWait is -5; give milliseconds, 0 or more', { maxWait: -5 }],
    ['deadline is NaN; give a moment of the elapsed() clock', { deadline: NaN }],
  ])('refuses an ask that no limiter could be fair to: %s', (problem, ask) => {
    expect(() => acquire(concurrency(1), ask)).toThrow(UsageError);
    expect(() => acquire(concurrency(1), ask)).toThrow(`ask: ${problem}`);
    expect(() => limitWith(concurrency(1), ask)).toThrow(`ask: ${problem}`);
  });

  it('refuses a bound of its queue that is none', () => {
    expect(() => acquire(concurrency(1), {}, { maxQueued: NaN })).toThrow('acquire: maxQueued is NaN; give a number, 0 or more');
  });

  it('releases a hundred thousand parked asks, each asked about a few times only', () => {
    const limiter = door();
    const subscriptions: Subscription[] = [];
    let passed = 0;
    for (let i = 0; i < 100_000; i++) subscriptions.push(acquire(limiter, { maxWait: 1e9 }).subscribe(() => passed++));
    const before = limiter.asked;
    limiter.open();
    expect(passed).toBe(100_000);
    expect(limiter.asked - before).toBeLessThan(200_000);
    subscriptions.forEach((subscription) => subscription.unsubscribe());
  });

  it('asks nobody again when one is withdrawn that was not the first', () => {
    const limiter = door();
    const waiting = Array.from({ length: 100 }, () => acquire(limiter).subscribe());
    const before = limiter.asked;
    waiting.slice(1).forEach((subscription) => subscription.unsubscribe());
    expect(limiter.asked).toBe(before);
    waiting[0]?.unsubscribe();
  });

  it('lets the next of the best line go first, however many lines there are', () => {
    const limiter = { ...door(), line: ({ url = '' }: Ask) => url };
    const asks = [
      { name: 'a1', url: 'a' },
      { name: 'b1', url: 'b', priority: 'background' },
      { name: 'a2', url: 'a' },
      { name: 'c1', url: 'c', priority: 'interactive' },
      { name: 'b2', url: 'b' },
      { name: 'c2', url: 'c', rejections: 1 },
    ] as const;
    const open = limiter.open;
    expect(granted(limiter, asks, open)).toEqual(['c1', 'a1', 'a2', 'b2', 'b1', 'c2']);
  });

  it('parks an ask in at most 1.5 KB', () => {
    const limiter = door();
    const subscriptions: Subscription[] = [];
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 50_000; i++) subscriptions.push(acquire(limiter, { url: 'https://a.test', maxWait: 1e9 }).subscribe());
    globalThis.gc?.();
    const each = (process.memoryUsage().heapUsed - before) / 50_000;
    subscriptions.forEach((subscription) => subscription.unsubscribe());
    expect(each).toBeLessThan(1536);
  });

  it('has one timer for all that wait, and none when the last is gone', () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const limiter = { ...door(), check: () => 60_000 };
    const subscriptions = Array.from({ length: 1000 }, (_, i) => acquire(limiter, { maxWait: 1e6 - i }).subscribe());
    expect(timers() - before).toBe(1);
    subscriptions.forEach((subscription) => subscription.unsubscribe());
    expect(timers() - before).toBe(0);
  });

  it('lets nobody pass those who wait', () => {
    const limiter = door();
    const order: string[] = [];
    acquire(limiter).subscribe(() => order.push('first'));
    const check = limiter.check;
    // The limiter would let the newcomer go at once, but has not said so yet.
    limiter.check = (ask) => (order.length === 0 && limiter.asked < 2 ? check(ask) : 0);
    acquire(limiter).subscribe(() => order.push('second'));
    expect(order).toEqual(['first', 'second']);
  });

  it('leaves no timer and no subscription when the last ask is withdrawn', () =>
    marbles(({ expect$, flush, hot }) => {
      const changed = hot('-');
      const limiter: Limiter = { changed$: changed.pipe(map(() => undefined)), check: () => 1000, take: () => makePermit({}) };
      expect$(acquire(limiter).pipe(takeUntil(timer(4)))).toBeMarbles('4ms |');
      flush();
      expect(changed.subscriptions.every(({ unsubscribedFrame }) => unsubscribedFrame === 4)).toBe(true);
    }));

  it('hears of a change that comes while nothing else happens', () =>
    marbles(({ expect$ }) => {
      const limiter = door();
      timer(6).subscribe(() => limiter.open());
      expect$(
        acquire(limiter).pipe(
          map(() => 'p'),
          take(1),
        ),
      ).toBeMarbles('6ms (p|)');
    }));

  it('hears at once that a gate has withdrawn its closing', () =>
    marbles(({ expect$ }) => {
      const limiter = pacer();
      const url = 'https://a.test/busy';
      const hold = limiter.take({ url }).settle({ status: 429, headers: new Headers({ 'retry-after': '60' }) });
      timer(6).subscribe(() => hold?.withdraw());
      expect$(
        acquire(limiter, { url }).pipe(
          map(() => 'p'),
          take(1),
        ),
      ).toBeMarbles('6ms (p|)');
    }));
});
