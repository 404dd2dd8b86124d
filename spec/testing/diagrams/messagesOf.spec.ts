import { of, timestamp } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';

/** Values of a hot observable and their moments, also for subscribers that are there before time begins. */
function emissions(diagram: string): string[] {
  const seen: string[] = [];
  marbles(({ hot, expect$ }) => {
    hot(diagram)
      .pipe(timestamp())
      .subscribe(({ value, timestamp: at }) => seen.push(`${value} at ${at}`));
    expect$(of(1)).toBeMarbles('(a|)', { a: 1 });
  });
  return seen;
}

describe('cold and hot in marbles', () => {
  it('take time at the end for time, and every kind of space for nothing', () =>
    marbles(({ cold, hot, expect$ }) => {
      expect$(cold('a 5ms')).toBeMarbles('a');
      expect$(hot('a\tb\n  | ')).toBeMarbles('ab|');
    }));

  it.each([
    ['a--^-b|', ['a at -3', 'b at 2']],
    ['  a - - ^ - b | ', ['a at -3', 'b at 2']],
    ['a\n--\t^ -b|', ['a at -3', 'b at 2']],
    ['a 10ms ^ 5ms b|', ['a at -11', 'b at 6']],
    ['5ms a 1s ^ 10m b|', ['a at -1001', 'b at 600001']],
    ['(ab) 1ms ^c|', ['a at -5', 'b at -5', 'c at 1']],
  ])('count the time before the ^ of %j as the time after it', (diagram, expected) => {
    expect(emissions(diagram)).toEqual(expected);
  });

  it.each<[string, (context: Parameters<Parameters<typeof marbles>[0]>[0]) => unknown, string]>([
    ['a letter that the values lack', ({ cold }) => cold('ab|', { a: 1 }), "'ab|' has a 'b' that its values lack"],
    ['one of a hot observable', ({ hot }) => hot('a^b', { a: 1 }), "'a^b' has a 'b' that its values lack"],
    ['a second ^', ({ hot }) => hot('a^b^'), "'^' belongs to subscriptions"],
    ['the ^ of a cold observable', ({ cold }) => cold('a^b'), "'^' belongs to subscriptions"],

    ['other units', ({ cold }) => cold('1h a'), "Time is in ms, s or m: '1h' is '60m'"],
  ])('refuse %s', (_, make, message) => {
    expect(() => marbles((context) => void make(context))).toThrow(message);
  });

  it('fail with null where null is their error', () =>
    marbles(({ cold, expect$ }) => expect$(cold('#', undefined, null)).toBeMarbles('#', undefined, null)));

  it('take a value that is undefined on purpose', () =>
    marbles(({ cold, expect$ }) => expect$(cold('a|', { a: undefined })).toBeMarbles('a|', { a: undefined })));
});
