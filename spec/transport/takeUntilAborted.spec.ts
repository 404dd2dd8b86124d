import { getEventListeners } from 'node:events';
import { NEVER, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { fromSignal, isAbortReason, takeUntilAborted } from '../../src/transport/takeUntilAborted.js';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('takeUntilAborted', () => {
  it('lets a source be that nobody can stop', () =>
    marbles(({ cold, expect$ }) => {
      expect$(cold('a-b|').pipe(takeUntilAborted({}))).toBeMarbles('a-b|');
    }));

  it('subscribes what can stop it before the source, and unsubscribes it with it', () =>
    marbles(({ cold, expect$ }) => {
      const source$ = cold('a-b|');
      const abort$ = cold(' ----------x');
      expect$(source$.pipe(takeUntilAborted({ abort$ }))).toBeMarbles('a-b|');
      expect$(abort$).toHaveSubscriptions('^--!');
      expect$(source$).toHaveSubscriptions('^--!');
    }));

  it('wins against a value of the same moment', () =>
    marbles(({ cold, expect$ }) => {
      expect$(cold('--a').pipe(takeUntilAborted({ abort$: cold('--x') }))).toBeMarbles('--|');
    }));
});

describe('fromSignal', () => {
  it('has one listener for all who hear it, and none when they are gone', () => {
    const { signal } = new AbortController();
    const hearing = Array.from({ length: 20 }, () => fromSignal(signal).subscribe());
    expect(listeners(signal)).toBe(1);
    for (const subscription of hearing) subscription.unsubscribe();
    expect(listeners(signal)).toBe(0);
  });

  it('tells each of them the reason, now and after the abort, and leaves no listener', () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const heard: unknown[] = [];
    const hear = (): void => void fromSignal(controller.signal).subscribe({ error: (error: unknown) => heard.push(error) });
    hear();
    hear();
    controller.abort(reason);
    hear();
    expect(heard).toEqual([reason, reason, reason]);
    expect(listeners(controller.signal)).toBe(0);
  });

  it('marks reasons, so that they are told from failures', () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    expect(isAbortReason(reason)).toBe(false);
    NEVER.pipe(takeUntilAborted({ signal: controller.signal })).subscribe({ error: () => undefined });
    controller.abort(reason);
    expect(isAbortReason(reason)).toBe(true);
  });

  it('marks a primitive while it passes only', () => {
    const seen: boolean[] = [];
    of(1)
      .pipe(takeUntilAborted({ signal: AbortSignal.abort('enough') }))
      .subscribe({ error: (reason: unknown) => seen.push(isAbortReason(reason)) });
    expect([...seen, isAbortReason('enough')]).toEqual([true, false]);
  });
});
