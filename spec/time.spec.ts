import { EMPTY, map, Observable, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { elapsed, isVirtual, MAX_TIMER, wait, waitUntil, wallClock, watchdog } from '../src/time.js';

const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('wait', () => {
  it('emits once when its time is over, and completes', () =>
    marbles(({ expect$ }) => {
      expect$(wait(3000)).toBeMarbles('3s (a|)', { a: undefined });
    }));

  it.each([-1, NaN, -Infinity, 0])('takes %s ms as none', (ms) =>
    marbles(({ expect$ }) => {
      expect$(wait(ms)).toBeMarbles('(a|)', { a: undefined });
    }),
  );

  it('chains what one timer cannot hold', () =>
    marbles(({ expect$ }) => {
      const long = 3 * MAX_TIMER + 5;
      expect$(wait(long).pipe(map(elapsed))).toBeMarbles(`${long}ms (a|)`, { a: long });
    }));

  it.each([Infinity, Number.MAX_VALUE, 2 ** 54])('never emits after %s ms', (ms) =>
    marbles(({ expect$ }) => {
      expect$(wait(ms)).toBeMarbles('');
    }),
  );

  it('counts from each subscription anew', () =>
    marbles(({ expect$ }) => {
      const source$ = wait(5);
      expect$(source$).toBeMarbles('5ms (a|)', { a: undefined });
      expect$(source$, '3ms ^').toBeMarbles('8ms (a|)', { a: undefined });
    }));

  // Virtual time has timers of any length: only a real one fires at once when it gets more than 2^31 - 1 ms.
  it('does not fire at once when the time is too long for a timer', async () => {
    const fired: string[] = [];
    const subscription = wait(9_999_999_999_000).subscribe(() => fired.push('long'));
    await new Promise<void>((resolve) => {
      wait(20).subscribe(() => resolve());
    });
    subscription.unsubscribe();
    expect(fired).toEqual([]);
  });

  // A virtual timer keeps no process alive.
  it('leaves no timer when it is unsubscribed', () => {
    const before = timers();
    const subscription = wait(60_000).subscribe();
    expect(timers()).toBe(before + 1);
    subscription.unsubscribe();
    expect(timers()).toBe(before);
  });

  // Platform timers may be early by a fraction of a millisecond, virtual ones never are.
  it('is never early by the monotonic clock', async () => {
    for (let round = 0; round < 20; round++) {
      const began = elapsed();
      await new Promise<void>((resolve) => {
        wait(2.7).subscribe(() => resolve());
      });
      expect(elapsed() - began).toBeGreaterThanOrEqual(2.7);
    }
  });
});

describe('waitUntil', () => {
  it('waits for a moment of the elapsed clock', () =>
    marbles(({ expect$ }) => {
      expect$(waitUntil(8), '3ms ^').toBeMarbles('8ms (a|)', { a: undefined });
    }));

  it('emits at once when the moment has passed', () =>
    marbles(({ expect$ }) => {
      expect$(waitUntil(2), '5ms ^').toBeMarbles('5ms (a|)', { a: undefined });
    }));
});

describe('elapsed and wallClock', () => {
  it('are virtual in virtual time, from 0', () =>
    marbles(({ cold, expect$ }) => {
      expect$(cold('7ms (a|)').pipe(map(() => [elapsed(), wallClock()]))).toBeMarbles('7ms (a|)', { a: [7, 7] });
    }));

  // What is to be told apart are the two real clocks.
  it('are the monotonic and the wall clock in real time', () => {
    expect(Math.abs(wallClock() - Date.now())).toBeLessThan(1000);
    expect(Math.abs(elapsed() - performance.now())).toBeLessThan(1000);
  });
});

describe('isVirtual', () => {
  it('tells virtual time from the real one, even if that starts at 0 too', () => {
    vi.useFakeTimers({ now: 0 });
    try {
      expect(isVirtual()).toBe(false);
      marbles(() => expect(isVirtual()).toBe(true));
      expect(isVirtual()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('watchdog', () => {
  /** An observable of its bark, touched first at the subscription. */
  const barking = (ms: number, touches$: Observable<unknown> = EMPTY): Observable<string> =>
    new Observable((subscriber) => {
      const dog = watchdog(ms, () => {
        subscriber.next('a');
        subscriber.complete();
      });
      dog.touch();
      subscriber.add(dog);
      subscriber.add(touches$.subscribe(dog.touch));
    });

  it('barks when nothing has moved for its time', () =>
    marbles(({ expect$ }) => {
      expect$(barking(10)).toBeMarbles('10ms (a|)');
    }));

  it('starts again at each touch', () =>
    marbles(({ cold, expect$ }) => {
      expect$(barking(10, cold('4ms a 2ms a 7ms a'))).toBeMarbles('25ms (a|)');
    }));

  it('never barks before the first touch', () =>
    marbles(({ cold, expect$ }) => {
      const barks: string[] = [];
      watchdog(10, () => barks.push('bark'));
      expect$(cold('1m |').pipe(tap({ complete: () => expect(barks).toEqual([]) }))).toBeMarbles('1m |');
    }));

  it('never barks after an infinite time', () =>
    marbles(({ expect$ }) => {
      expect$(barking(Infinity), '^ 60m !').toBeMarbles('');
    }));

  // It counts the platform's timers.
  it('has one timer however often it is touched, and none when it is unsubscribed', () => {
    const before = timers();
    const dog = watchdog(60_000, () => undefined);
    for (let touches = 0; touches < 1000; touches++) dog.touch();
    expect(timers()).toBe(before + 1);
    dog.unsubscribe();
    expect(timers()).toBe(before);
  });
});
