import { describe, expect, it } from 'vitest';
import { RefusalWait } from '../../src/simulate/RefusalWait.js';

describe('RefusalWait', () => {
  it('ends when the server said, or by the cap of the policy', () => {
    for (const [cap, ends] of [
      [Infinity, 300_100],
      [60_000, 60_100],
    ] as const) {
      const wait = new RefusalWait(cap);
      wait.refused(0, 100, 300_000);
      expect(wait.ends).toBe(ends);
    }
  });

  it('is raised by a 429 to an earlier request only if that names a later moment', () => {
    const wait = new RefusalWait(60_000);
    wait.refused(0, 100, 300_000);
    wait.refused(0, 600, 299_000);
    expect(wait.ends).toBe(60_100);
    wait.refused(0, 700, 300_000);
    expect(wait.ends).toBe(60_700);
  });

  it('begins anew with the refusal of a later request', () => {
    const wait = new RefusalWait(60_000);
    wait.refused(wait.refusals, 100, 300_000);
    wait.refused(wait.refusals, 60_200, 239_000);
    expect(wait.ends).toBe(120_200);
  });
});
