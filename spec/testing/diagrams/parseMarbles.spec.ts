import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it } from 'vitest';
import { parseMarbles, parseSpan } from '../../../src/testing/diagrams/parseMarbles.js';

/** Reading of a diagram by RxJS in run mode. */
function byRxjs(diagram: string): { frame: number; key: unknown }[] {
  return new TestScheduler(() => undefined).run(() =>
    TestScheduler.parseMarbles(diagram, undefined, '#', false, true).map(({ frame, notification }) => ({
      frame,
      key: notification.kind === 'N' ? notification.value : notification.kind === 'E' ? '#' : '|',
    })),
  );
}

describe('parseMarbles', () => {
  it.each([
    '',
    '|',
    '#',
    'a',
    '-a--b---|',
    '  a  - b |',
    '(a|)',
    '(ab)c',
    '5ms (a|)',
    'a 9ms b 2s c 1m (d#)',
    '1.5s a 0.5ms b',
    '5ms 3s 5ms (a|)',
    '(abc) d',
    '5 a 6',
    'a 5ms ',
  ])('reads %j as RxJS does', (diagram) => {
    expect(parseMarbles(diagram)).toEqual(byRxjs(diagram));
  });

  it('takes time at the end of a diagram for time, which RxJS takes for values', () => {
    expect(byRxjs('a 5ms')).toHaveLength(4);
    expect(parseMarbles('a 5ms')).toEqual([{ frame: 0, key: 'a' }]);
  });

  it.each([
    ['a5ms b', "'5ms' needs a space before and after it to be time:\n  a5ms b\n   ^"],
    ['3s(a|)', "'3s' needs a space before and after it to be time:\n  3s(a|)\n  ^"],
    ['a (b (c', 'Groups do not nest:\n  a (b (c\n       ^'],
    ['a b)', "There is no '(' to this ')':\n  a b)\n     ^"],
    ['a (b', "A group needs its ')':\n  a (b\n    ^"],
    ['a (b 3s c)', 'Time does not pass inside a group:\n  a (b 3s c)\n       ^'],
    ['a | b', 'Nothing can follow the end:\n  a | b\n    ^'],
    ['^ a', "'^' belongs to subscriptions:\n  ^ a\n  ^"],
    ['a !', "'!' belongs to subscriptions:\n  a !\n    ^"],
    ['- 1h a', "Time is in ms, s or m: '1h' is '60m' (or, if these are values, put a space between them):\n  - 1h a\n    ^"],
    ['1.5hours a', "'1.5hours' is '90m'"],
    ['2d a', "'2d' is '2880m'"],
    ['2min a', "'2min' is '2m'"],
    ['90secs a', "'90secs' is '1m 30s'"],
  ])('refuses %j and points at the place', (diagram, message) => {
    expect(() => parseMarbles(diagram)).toThrow(message);
  });
});

describe('parseSpan', () => {
  it.each(['^', '^!', '--^--!', '3s ^ 4ms !', '(^!)', '-(^!)', '^ 10m !', '  3005ms ^ 4ms !'])('reads %j as RxJS does', (diagram) => {
    const { subscribedFrame: from, unsubscribedFrame: to } = new TestScheduler(() => undefined).run(() =>
      TestScheduler.parseMarblesAsSubscriptions(diagram, true),
    );
    expect(parseSpan(diagram)).toEqual({ from, to });
  });

  it('reads a diagram without marks as no subscription', () => {
    expect(parseSpan('')).toBeUndefined();
    expect(parseSpan('---')).toBeUndefined();
  });

  it.each([5, undefined, null, {}])('refuses %o, which is no string, in one line', (diagram) => {
    for (const parse of [parseMarbles, parseSpan]) {
      expect(() => parse(diagram as never)).toThrow(/^A diagram is .*; give a string of marbles: '5ms \(a\|\)'$/);
    }
  });

  it.each([
    ['^ a !', "A subscription has one '^', one '!' and time:\n  ^ a !\n    ^"],
    ['^ ^ !', "A subscription has one '^', one '!' and time:\n  ^ ^ !\n    ^"],
    ['--!', "A subscription ends only after its '^':\n  --!\n    ^"],
    ['! 3s ^', "A subscription ends only after its '^':\n  ! 3s ^\n  ^"],
    ['(^ 3s !', "A group needs its ')':\n  (^ 3s !\n  ^"],
    ['^ 1h !', "Time is in ms, s or m: '1h' is '60m'"],
  ])('refuses %j and points at the place', (diagram, message) => {
    expect(() => parseSpan(diagram)).toThrow(message);
  });
});
