import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Audience } from '../../../src/adapters/redis/Audience.js';

describe('Audience', () => {
  it('passes on what it hears, and tells of each who leaves', () => {
    const source$ = new Subject<void>();
    const left: boolean[] = [];
    let heard = 0;
    const audience = new Audience(source$, () => left.push(audience.isEmpty));
    const [one, other] = [audience.counted$.subscribe(() => heard++), audience.counted$.subscribe(() => heard++)];
    source$.next();
    expect([heard, audience.isEmpty]).toEqual([2, false]);
    one.unsubscribe();
    other.unsubscribe();
    expect([left, audience.isEmpty, source$.observed]).toEqual([[false, true], true, false]);
  });

  it('is empty before anybody has listened', () => {
    expect(new Audience(new Subject(), () => undefined).isEmpty).toBe(true);
  });
});
