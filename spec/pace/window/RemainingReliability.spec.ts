import { describe, expect, it } from 'vitest';
import { RemainingReliability } from '../../../src/pace/window/RemainingReliability.js';

describe('RemainingReliability', () => {
  it('holds as long as nothing speaks against it', () => {
    const reliability = new RemainingReliability();
    reliability.passed(0, 100, 1, 60_000);
    reliability.passed(100, 200, 0, 60_000);
    reliability.rejected(0);
    reliability.rejected(undefined);
    expect(reliability.holds).toBe(true);
  });

  it('is lost with a 429 that says that requests are left, until one says that none are', () => {
    const reliability = new RemainingReliability();
    reliability.rejected(5);
    expect(reliability.holds).toBe(false);
    reliability.rejected(undefined);
    expect(reliability.holds).toBe(false);
    reliability.rejected(0);
    expect(reliability.holds).toBe(true);
  });

  it('is lost when a request passes that was sent after none were left, until a 429 says that none are', () => {
    const reliability = new RemainingReliability();
    expect(reliability.passed(0, 100, 0, 60_000)).toBe(false);
    expect(reliability.passed(150, 250, 7, 60_000)).toBe(true);
    expect(reliability.holds).toBe(false);
    reliability.rejected(0);
    expect(reliability.holds).toBe(true);
  });

  it('is lost when a window has two last requests', () => {
    const reliability = new RemainingReliability();
    reliability.passed(0, 100, 0, 60_000);
    expect(reliability.passed(50, 150, 0, 60_000)).toBe(true);
  });

  it('outlasts answers that overtake each other', () => {
    const reliability = new RemainingReliability();
    reliability.passed(0, 100, 0, 60_000);
    expect(reliability.passed(0, 150, 3, 60_000)).toBe(false);
    expect(reliability.holds).toBe(true);
  });

  it('outlasts the next window, which may have begun a second before its announced time', () => {
    const reliability = new RemainingReliability();
    reliability.passed(0, 100, 0, 60_000);
    expect(reliability.passed(58_950, 59_050, 99, 60_000)).toBe(false);
    expect(reliability.holds).toBe(true);
  });
});
