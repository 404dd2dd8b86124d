import { describe, expect, it } from 'vitest';
import { FairShare } from '../../../src/pace/window/FairShare.js';

/** A share after answers that told of these numbers of requests left. */
function shareAfter(...remaining: readonly (number | undefined)[]): FairShare {
  const share = new FairShare();
  for (const each of remaining) share.answered(each);
  return share;
}

describe('FairShare', () => {
  it('knows the least that an answer said is left, and nothing before', () => {
    expect(shareAfter().left).toBe(Infinity);
    expect(shareAfter(90, 70, 80).left).toBe(70);
  });

  it('gives the part that the own requests are of the consumption since the first', () => {
    // Two of the twenty requests since it came were its own: a tenth of the remaining quota.
    expect(shareAfter(89, 70).byConsumption()).toBe(7);
    expect(shareAfter(90, 89).byConsumption()).toBe(89);
  });

  it('gives the last but four in the order a fifth of what it finds, and the last all of it', () => {
    expect(shareAfter(99).byRank(5, 1)).toBe(20);
    expect(shareAfter(99).byRank(1, 1)).toBe(100);
    expect(shareAfter(2).byRank(5, 1)).toBe(0);
  });

  it('is near its end where the work is at most three such windows', () => {
    const share = shareAfter(90, 89);
    expect([share.isNearEnd(6), share.isNearEnd(7)]).toEqual([true, false]);
  });

  it('begins anew with a window', () => {
    const share = shareAfter(90, 89);
    share.renew();
    expect([share.left, share.isNearEnd(1)]).toEqual([Infinity, false]);
  });

  it('counts requests also where nothing tells what is left', () => {
    const share = shareAfter(undefined, undefined);
    expect([share.left, share.isNearEnd(6)]).toEqual([Infinity, true]);
  });
});
