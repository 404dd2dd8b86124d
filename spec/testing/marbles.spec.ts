import { asyncScheduler, delay, EMPTY, interval, NEVER, of, tap, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it, vi } from 'vitest';
import { policies } from 'coldfetch';
import { type MarbleContext, marbles } from 'coldfetch/testing';
import { failureOf } from '../support/failureOf.js';

/** First line of an error's stack, packages left out as test runners do. */
function firstFrame({ stack = '' }: Error): string {
  return stack.split('\n').find((line) => /^ *at /.test(line) && !line.includes('node_modules')) ?? '';
}

/** The line of this file at which an error's stack begins. */
function lineOf(error: Error): number {
  return Number(/marbles\.spec\.ts:(\d+)/.exec(firstFrame(error))?.[1]);
}

/** True if the clock of RxJS is the real one. */
function clockIsReal(): boolean {
  return Math.abs(asyncScheduler.now() - Date.now()) < 60_000;
}

describe('marbles', () => {
  it('plays hours in no time', () =>
    marbles(({ cold, expect$ }) => {
      const source = cold('             5ms (a|)');
      expect$(source.pipe(delay(36e5))).toBeMarbles('60m 5ms (a|)');
      expect$(source).toHaveSubscriptions(' ^ 4ms !');
    }));

  it.each([undefined, 5])('says in one line that it needs a function, not %o', (body) => {
    const error = failureOf(() => marbles(body as never));
    expect([error.name, error.message]).toEqual([
      'UsageError',
      `marbles got ${String(body)}; give it a function: marbles(({ expect$ }) => { ... })`,
    ]);
  });

  it('subscribes and unsubscribes when it is told to', () =>
    marbles(({ hot, expect$ }) => {
      const source = hot('--a--b--c--d');
      expect$(source, '   ---^----!  ').toBeMarbles('-----b--');
      expect$(source).toHaveSubscriptions('---^----!');
    }));

  it('has a subscription begin where a hot observable says', () =>
    marbles(({ hot, expect$ }) => {
      expect$(hot('--a-^-b-|')).toBeMarbles('--b-|');
    }));

  it('reads durations as what they say', () =>
    marbles(({ time }) => {
      expect([time('1s'), time('1m 30s'), time('  1s |'), time('--|')]).toEqual([1000, 90_000, 1000, 2]);
    }));

  it('gives what draws numbers the same one each time', () => {
    marbles(({ random }) => expect([random(), random()]).toEqual([0.5, 0.5]));
    marbles(({ random }) => expect(random()).toBe(0.1), { random: 0.1 });
    marbles(({ random }) => expect(random()).toBe(0.2), { random: () => 0.2 });
  });

  it.each<[unknown, string]>([
    [1, '1'],
    [-0.1, '-0.1'],
    [NaN, 'NaN'],
    ['0.5', '0.5'],
  ])('refuses to draw %o for a random number', (random, shown) => {
    expect(() => marbles(({ expect$ }) => expect$(EMPTY).toBeMarbles('|'), { random: random as number })).toThrow(
      `random is ${shown}; give a number from 0 up to, not including, 1, or a function`,
    );
  });

  it('refuses options that it does not have', () => {
    const block = ({ expect$ }: MarbleContext): void => expect$(EMPTY).toBeMarbles('|');
    expect(() => marbles(block, { rand: 1 } as object)).toThrow('marbles: rand is unknown; there are random, client');
    expect(() => marbles(block, { retry: false } as object)).toThrow('marbles: retry is unknown; say it as client: { retry }');
  });

  it('draws no other number for the policy of one request', () =>
    marbles(
      ({ server, http, expect$ }) => {
        server.on('GET /', [503, 200]);
        expect$(http.get('/', { retry: policies.standard })).toBeMarbles('69ms (a|)', { a: null });
        expect$(server).toHaveRequests('a 68ms b', { b: { at: 69 }, a: { at: 0, answeredAt: 0 } });
      },
      // 0.069 x 1000 is 69.00000000000001.
      { random: 0.069 },
    ));

  it.each([NaN, Infinity, 'soon'])('refuses the date %o', (moment) => {
    expect(() => marbles(({ date }) => void date(moment))).toThrow(`'${moment}' is not a duration`);
  });

  it('has dates before its beginning', () =>
    marbles(({ date }) => {
      expect(date(-1000)).toBe('Wed, 31 Dec 1969 23:59:59 GMT');
    }));

  it('counts an expect of the framework as an assertion', () =>
    marbles(({ flush }) => {
      const seen: number[] = [];
      timer(1000).subscribe((value) => seen.push(value));
      flush();
      expect(seen).toEqual([0]);
    }));

  it('shows at once all that did not happen', () => {
    const { message } = failureOf(() =>
      marbles(({ cold, expect$ }) => {
        const source = cold('a|');
        expect$(source).toBeMarbles('a');
        expect$(source).toBeMarbles('a|');
        expect$(source).toHaveSubscriptions([]);
      }),
    );
    expect(message.split('\n\n').filter((part) => part.startsWith('expect$'))).toEqual([
      'expect$(received).toBeMarbles(expected)',
      'expect$(received).toHaveSubscriptions(expected)',
    ]);
  });

  it('puts the line of the spec first in the stack', () => {
    let before = new Error();
    const error = failureOf(() =>
      marbles(({ expect$ }) => {
        before = new Error();
        expect$(EMPTY).toBeMarbles('a');
      }),
    );
    expect(lineOf(error)).toBe(lineOf(before) + 1);
    expect(error.name).toBe('ExpectationError');
  });
});

describe('a marbles block that could not fail', () => {
  it.each<[string, (context: MarbleContext) => void, string]>([
    ['is async', async () => undefined, 'The body of marbles is async: virtual time does not wait for promises'],
    [
      'is async and expects something after an await',
      async ({ expect$ }) => {
        await Promise.resolve();
        expect$(of(1)).toBeMarbles('never compared');
      },
      'The body of marbles is async: virtual time does not wait for promises',
    ],
    ['expects nothing', () => undefined, 'The marbles block expects nothing, so it can never fail'],
    ['has an expectation without its matcher', ({ expect$ }) => void expect$(EMPTY), 'expect$(...) has no matcher, so it expects nothing'],
    [
      'has an expectation without its matcher beside one with it',
      ({ expect$ }) => {
        expect$(EMPTY).toBeMarbles('|');
        expect$(EMPTY);
      },
      'expect$(...) has no matcher, so it expects nothing',
    ],
    [
      'compares a running observable by expect',
      () => {
        expect(of(1)).not.toWait([]);
      },
      'toWait on Observable: write expect$(...).toWait(...) inside a marbles block',
    ],
    [
      'compares a log that is not complete',
      ({ server }) => {
        expect(server).toHaveRequests('');
      },
      'write expect$(...).toHaveRequests(...) inside a marbles block',
    ],
    ['misspells time', ({ expect$ }) => expect$(NEVER).not.toBeMarbles('3s|'), "'3s' needs a space before and after it to be time"],
    ['misspells time of a source', ({ cold, expect$ }) => expect$(cold('3s|')).not.toBeMarbles(''), "'3s' needs a space"],
    ['lacks a value', ({ cold, expect$ }) => expect$(cold('a', { a: undefined })).toBeMarbles('b', {}), "has a 'b' that its values lack"],
    [
      'has a subscription that nobody reads',
      ({ cold, expect$ }) => expect$(cold('a'), '^ 5s !').not.toHaveSubscriptions('^ 4s !'),
      "expect$ subscribes to nothing for toHaveSubscriptions, which looks at a log: leave out '^ 5s !'",
    ],
    [
      'has an expectation that never subscribes',
      ({ expect$ }) => expect$(NEVER, '---').toBeMarbles(''),
      "'---' has no '^' at which to subscribe",
    ],
  ])('is refused when it %s', (_, body, message) => {
    const error = failureOf(() => marbles(body));
    expect(error.message).toContain(message);
    expect(firstFrame(error)).toContain('marbles.spec.ts');
  });

  it('is refused when a matcher is used after it', () => {
    let late: ReturnType<MarbleContext['expect$']> | undefined;
    marbles(({ expect$ }) => {
      late = expect$(EMPTY);
      late.toWait([]);
    });
    expect(() => late?.toWait([])).toThrow('toWait was called after its marbles block had ended: call it inside');
  });

  it('is refused when its helpers are used after it', () => {
    let context: MarbleContext | undefined;
    marbles((given) => {
      context = given;
      given.expect$(EMPTY).toBeMarbles('|');
    });
    expect(() => context?.expect$(EMPTY)).toThrow('expect$ was called after its marbles block had ended');
    expect(() => context?.cold('a')).toThrow('cold was called after its marbles block had ended');
    expect(() => context?.hot('a')).toThrow('hot was called after its marbles block had ended');
  });

  it('is refused inside another virtual time', () => {
    const inner = (): void => marbles(({ expect$ }) => expect$(EMPTY).toBeMarbles('|'));
    expect(() => marbles(inner)).toThrow('marbles inside of another virtual time');
    expect(() => new TestScheduler(() => undefined).run(inner)).toThrow('marbles inside of another virtual time');
  });

  it('is ended when it would go on for ever', () => {
    expect(() => marbles(({ expect$ }) => expect$(interval(1)).not.toBeMarbles('a'))).toThrow('The marbles block does not end');
    expect(clockIsReal()).toBe(true);
  });
});

describe('fake timers', () => {
  it('are not taken for virtual time, whatever date they show', () => {
    vi.useFakeTimers({ now: 0 });
    try {
      marbles(({ expect$ }) => expect$(timer(3000)).toBeMarbles('3s (a|)', { a: 0 }));
      expect([]).toWait([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the real clock', () => {
  it.each<[string, (context: MarbleContext) => void]>([
    ['throws', () => expect.unreachable()],
    ['is async', async () => undefined],
    ['is async and throws', async () => Promise.reject(new Error('late'))],
    ['expects nothing', () => undefined],
    ['fails', ({ expect$ }) => expect$(EMPTY).toBeMarbles('a')],
    [
      'has a source that throws into nobody',
      ({ cold, expect$ }) => {
        cold('#').subscribe();
        expect$(EMPTY).toBeMarbles('|');
      },
    ],
    ['throws in a subscription', ({ expect$ }) => expect$(of(1).pipe(tap(() => expect.unreachable()))).toBeMarbles('(a|)')],
  ])('is back when the block %s', (_, body) => {
    expect(() => marbles(body)).toThrow();
    expect(clockIsReal()).toBe(true);
  });
});
