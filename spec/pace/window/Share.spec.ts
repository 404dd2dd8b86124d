import { describe, expect, it } from 'vitest';
import { Share } from '../../../src/pace/window/Share.js';

/** What is known after answers that told of these numbers of requests left. */
function shareAfter(...remaining: readonly (number | undefined)[]): Share {
  const share = new Share();
  for (const each of remaining) share.answered(each);
  return share;
}

describe('Share', () => {
  it('knows the least that an answer said is left, and nothing before', () => {
    expect(shareAfter().left).toBe(Infinity);
    expect(shareAfter(90, 70, 80).left).toBe(70);
  });

  it('gives the part that the own requests are of the fall since the first', () => {
    // Of the twenty that went since it came two were its own: a tenth of what is left.
    expect(shareAfter(89, 70).byFall()).toBe(7);
    expect(shareAfter(90, 89).byFall()).toBe(89);
  });

  it('gives the last but four in a line a fifth of what it finds, and the last all of it', () => {
    expect(shareAfter(99).byPlace(5, 1)).toBe(20);
    expect(shareAfter(99).byPlace(1, 1)).toBe(100);
    expect(shareAfter(2).byPlace(5, 1)).toBe(0);
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
