import { describe, expect, it } from 'vitest';
import { Credit } from '../../../src/pace/window/Credit.js';

/** How many looks in a row it allows that find nothing. */
function looksOf(credit: Credit): number {
  let looks = 0;
  for (; credit.allowsLook; looks++) credit.spend();
  return looks;
}

describe('Credit', () => {
  it('allows three looks that find nothing at first', () => {
    expect(looksOf(new Credit())).toBe(3);
  });

  it('allows one more for every 20 successes', () => {
    const credit = new Credit();
    looksOf(credit);
    for (let i = 0; i < 21; i++) credit.earn();
    expect(looksOf(credit)).toBe(1);
  });

  it('is not saved up beyond four', () => {
    const credit = new Credit();
    for (let i = 0; i < 1000; i++) credit.earn();
    expect(looksOf(credit)).toBe(4);
  });
});
