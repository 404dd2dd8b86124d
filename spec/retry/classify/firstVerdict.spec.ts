import { EMPTY, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { retryAfter, retryReport, type Verdict } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { firstVerdict } from '../../../src/retry/classify/firstVerdict.js';
import type { Classify } from '../../../src/retry/RetryPolicy.js';

const busy = { status: 418, headers: new Headers() };

function verdictsOf(...hooks: Classify[]): Verdict[] {
  const verdicts: Verdict[] = [];
  firstVerdict(...hooks)({ error: busy, type: 'response', status: 418 }, () => EMPTY).subscribe((verdict) => verdicts.push(verdict));
  return verdicts;
}

describe('firstVerdict', () => {
  it('is the verdict of the first hook that has one', () => {
    expect(
      verdictsOf(
        () => undefined,
        () => of(undefined),
        () => 'retry',
        () => 'terminal',
      ),
    ).toEqual(['retry']);
  });

  it('asks nobody behind the one that decided', () => {
    const asked: string[] = [];
    const hook =
      (name: string, verdict: Verdict): Classify =>
      () => {
        asked.push(name);
        return of(verdict);
      };
    verdictsOf(hook('first', undefined), hook('second', 'terminal'), hook('third', 'retry'));
    expect(asked).toEqual(['first', 'second']);
  });

  it('leaves it to the rules where no hook has an opinion', () => {
    expect(
      verdictsOf(
        () => undefined,
        () => EMPTY,
      ),
    ).toEqual([]);
  });

  it('takes null for no opinion, from a hook and from what it answers', () => {
    const none = (() => null) as unknown as Classify;
    const later = (() => of(null)) as unknown as Classify;
    expect(verdictsOf(none, later, () => 'terminal')).toEqual(['terminal']);
  });

  it('ends the operation with what a hook throws', () =>
    marbles(({ expect$, flush }) => {
      const thrown = new Error('a hook that fails');
      const classify = firstVerdict(
        () => undefined,
        () => {
          throw thrown;
        },
      );
      expect$(throwError(() => busy).pipe(retryAfter({ classify }))).toBeMarbles('#', {}, thrown);
      flush();
      expect(retryReport(thrown)).toMatchObject({ reason: 'hook-failed', cause: busy });
    }));
});
