import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { withFallback } from '../../../src/adapters/redis/withFallback.js';

describe('withFallback', () => {
  const upper = (text: string): string => text.toUpperCase();
  const local = (): string[] => ['local'];

  it('gives the reply', () =>
    marbles(({ cold, expect$ }) => {
      const reply$ = cold('                                                          20ms r--|');
      expect$(withFallback(reply$, { silence: 50, replied: upper, away: local })).toBeMarbles('20ms (R|)');
    }));

  it('goes on without Redis after its silence, and takes the late reply', () => {
    const late: string[] = [];
    marbles(({ cold, expect$ }) => {
      const reply$ = cold('80ms r|');
      const result$ = withFallback(reply$, { silence: 50, replied: upper, away: local, late: (reply) => late.push(reply) });
      expect$(result$).toBeMarbles('50ms (l|)', { l: 'local' });
      expect$(reply$).toHaveSubscriptions('^ 80ms !');
    });
    expect(late).toEqual(['r']);
  });

  it('goes on at once where Redis fails, with its error', () =>
    marbles(({ cold, expect$ }) => {
      const reply$ = cold('20ms #', undefined, new Error('READONLY'));
      const result$ = withFallback(reply$, { silence: 50, replied: upper, away: (error) => of(String(error)) });
      expect$(result$).toBeMarbles('20ms (e|)', { e: 'Error: READONLY' });
    }));

  it('takes the reply as late after an unsubscribe, and falls back no more', () => {
    const late: string[] = [];
    marbles(({ cold, expect$ }) => {
      const reply$ = cold('80ms r|');
      const result$ = withFallback(reply$, { silence: 50, replied: upper, away: local, late: (reply) => late.push(reply) });
      expect$(result$, '^ 9ms !').toBeMarbles('');
    });
    expect(late).toEqual(['r']);
  });
});
