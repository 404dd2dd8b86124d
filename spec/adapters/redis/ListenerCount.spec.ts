import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ListenerCount } from '../../../src/adapters/redis/ListenerCount.js';

describe('ListenerCount', () => {
  it('passes on what it hears, and tells of each who leaves', () => {
    const source$ = new Subject<void>();
    const left: boolean[] = [];
    let heard = 0;
    const listeners = new ListenerCount(source$, () => left.push(listeners.isEmpty));
    const [one, other] = [listeners.counted$.subscribe(() => heard++), listeners.counted$.subscribe(() => heard++)];
    source$.next();
    expect([heard, listeners.isEmpty]).toEqual([2, false]);
    one.unsubscribe();
    other.unsubscribe();
    expect([left, listeners.isEmpty, source$.observed]).toEqual([[false, true], true, false]);
  });

  it('is empty before anybody has listened', () => {
    expect(new ListenerCount(new Subject(), () => undefined).isEmpty).toBe(true);
  });
});
