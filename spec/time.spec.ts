import { mock } from 'node:test';
import { concat, EMPTY, map, Observable, tap } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

  // The two real clocks have to be told apart.
  it('are the monotonic and the wall clock in real time', () => {
    expect(Math.abs(wallClock() - Date.now())).toBeLessThan(1000);
    const lead = elapsed() - performance.now();
    const until = performance.now() + 5;
    while (performance.now() < until);
    expect(Math.abs(elapsed() - performance.now() - lead)).toBeLessThan(1000);
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

describe('fake timers that leave the monotonic clock alone', () => {
  const fakes: Readonly<Record<string, () => { tick(ms: number): void; end(): void }>> = {
    'of node:test': () => {
      mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
      return { tick: (ms) => mock.timers.tick(ms), end: () => mock.timers.reset() };
    },
    'of vitest and Jest, told so': () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
      return { tick: (ms) => void vi.advanceTimersByTime(ms), end: () => void vi.useRealTimers() };
    },
    'of vitest and Jest, setTimeout alone': () => {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      return { tick: (ms) => void vi.advanceTimersByTime(ms), end: () => void vi.useRealTimers() };
    },
    'of vitest and Jest as they come': () => {
      vi.useFakeTimers();
      return { tick: (ms) => void vi.advanceTimersByTime(ms), end: () => void vi.useRealTimers() };
    },
  };

  describe.each(Object.entries(fakes))('%s', (_, enable) => {
    let clock: ReturnType<typeof enable>;
    beforeEach(() => (clock = enable()));
    afterEach(() => clock.end());

    it('end a wait by their ticks, not before', () => {
      const ended: number[] = [];
      for (const ms of [3000, 10, 90_000]) wait(ms).subscribe(() => ended.push(ms));
      clock.tick(9);
      expect(ended).toEqual([]);
      clock.tick(1);
      expect(ended).toEqual([10]);
      clock.tick(2990);
      expect(ended).toEqual([10, 3000]);
      clock.tick(87_000);
      expect(ended).toEqual([10, 3000, 90_000]);
    });

    it('end waits that follow one another', () => {
      let ended = false;
      concat(wait(500), wait(500)).subscribe({ complete: () => (ended = true) });
      clock.tick(500);
      expect(ended).toBe(false);
      clock.tick(501);
      expect(ended).toBe(true);
    });

    it('take the elapsed time along, so that a deadline is met by them too', () => {
      const began = elapsed();
      wait(60_000).subscribe();
      clock.tick(60_000);
      expect(Math.round(elapsed() - began)).toBeGreaterThanOrEqual(60_000);
    });

    it('end a wait that is longer than one timer', () => {
      let ended = false;
      wait(MAX_TIMER + 5000).subscribe(() => (ended = true));
      clock.tick(MAX_TIMER);
      expect(ended).toBe(false);
      clock.tick(5000);
      expect(ended).toBe(true);
    });

    it('do not end what was unsubscribed', () => {
      const ended: string[] = [];
      wait(100)
        .subscribe(() => ended.push('wait'))
        .unsubscribe();
      const dog = watchdog(100, () => ended.push('watchdog'));
      dog.touch();
      dog.pause();
      clock.tick(1000);
      expect(ended).toEqual([]);
    });

    it('let a watchdog bark, but not while something moves', () => {
      let barks = 0;
      const dog = watchdog(200, () => barks++);
      dog.touch();
      for (let moves = 0; moves < 10; moves++) {
        clock.tick(150);
        dog.touch();
      }
      expect(barks).toBe(0);
      for (let silences = 0; silences < 2; silences++) clock.tick(200);
      expect(barks).toBe(1);
      dog.unsubscribe();
    });
  });
});

describe('real timers after fake ones', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    wait(3_600_000).subscribe();
    mock.timers.tick(3_600_000);
    mock.timers.reset();
  });

  it('leave an elapsed clock that goes on by itself', () => {
    const began = elapsed();
    const until = performance.now() + 5;
    while (performance.now() < until);
    expect(elapsed() - began).toBeGreaterThanOrEqual(5 - 1e-6);
  });

  it('end a wait although the elapsed clock is ahead', async () => {
    await new Promise<void>((resolve) => {
      wait(5).subscribe(() => resolve());
    });
    expect(elapsed()).toBeGreaterThan(3_600_000);
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

  it('stands still in a pause, and starts again at the next touch', () =>
    marbles(({ cold, expect$ }) => {
      const paused$ = new Observable<string>((subscriber) => {
        const dog = watchdog(10, () => {
          subscriber.next('a');
          subscriber.complete();
        });
        dog.touch();
        subscriber.add(dog);
        subscriber.add(cold('  5ms p 50ms t').subscribe((what) => (what === 'p' ? dog.pause() : dog.touch())));
      });
      expect$(paused$).toBeMarbles('66ms (a|)');
    }));

  // The specs here count the platform's timers.
  it('has none in a pause, and none after a touch when it was unsubscribed', () => {
    const before = timers();
    const dog = watchdog(60_000, () => undefined);
    dog.touch();
    dog.pause();
    expect(timers()).toBe(before);
    dog.unsubscribe();
    dog.touch();
    expect(timers()).toBe(before);
  });

  it('has one timer however often it is touched, and none when it is unsubscribed', () => {
    const before = timers();
    const dog = watchdog(60_000, () => undefined);
    for (let touches = 0; touches < 1000; touches++) dog.touch();
    expect(timers()).toBe(before + 1);
    dog.unsubscribe();
    expect(timers()).toBe(before);
  });
});
