import { mergeMap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { failureLines } from '../failureLines.js';

describe('toHaveSubscriptions', () => {
  it('draws each subscription, and names the one that differs', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        const source = cold('5ms #');
        source.subscribe({ error: () => undefined });
        timer(2000)
          .pipe(mergeMap(() => source))
          .subscribe({ error: () => undefined });
        expect$(source).toHaveSubscriptions(['^ 4ms !', '3s ^ 4ms !']);
      }),
    ).toEqual([
      'expect$(received).toHaveSubscriptions(expected)',
      '',
      'expected  ^ 4ms !',
      'received  ^ 4ms !',
      'expected  3s            ^ 4ms !',
      'received  2s     ^ 4ms !',
      'differs          ^ subscription 2 began at 2s, 1s too early',
    ]);
  });

  it.each<[string, string | string[], string]>([
    ['missing', ['^ 4ms !', '3s ^'], 'subscription 2 was expected at 3s, but did not come'],
    ['left over', [], 'subscription 1 was not expected'],
    ['too long', '^--!', 'subscription 1 ended at 5ms, 2ms too late'],
    ['too short', '^', 'subscription 1 ended at 5ms, but was expected to last'],
  ])('names one that is %s', (_, expected, reason) => {
    expect(
      failureLines(({ cold, expect$ }) => {
        const source = cold('5ms |');
        source.subscribe();
        expect$(source).toHaveSubscriptions(expected);
      }).at(-1),
    ).toContain(reason);
  });

  it('names one that was not ended', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        const source = cold('a');
        source.subscribe();
        expect$(source).toHaveSubscriptions('^ 2s !');
      }),
    ).toEqual([
      'expect$(received).toHaveSubscriptions(expected)',
      '',
      'expected  ^ 2s !',
      'received  ^',
      'differs        ^ subscription 1 did not end',
    ]);
  });

  it('has an opposite', () => {
    expect(
      failureLines(({ cold, expect$ }) => {
        const source = cold('|');
        source.subscribe();
        expect$(source).not.toHaveSubscriptions('(^!)');
      }).slice(2),
    ).toEqual(['unexpected  (^!)']);
  });
});
