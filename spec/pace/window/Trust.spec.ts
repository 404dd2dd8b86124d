import { describe, expect, it } from 'vitest';
import { Trust } from '../../../src/pace/window/Trust.js';

describe('Trust', () => {
  it('holds as long as nothing speaks against it', () => {
    const trust = new Trust();
    trust.passed(0, 100, 1, 60_000);
    trust.passed(100, 200, 0, 60_000);
    trust.rejected(0);
    trust.rejected(undefined);
    expect(trust.holds).toBe(true);
  });

  it('is lost with a 429 that says that requests are left, until one says that none are', () => {
    const trust = new Trust();
    trust.rejected(5);
    expect(trust.holds).toBe(false);
    trust.rejected(undefined);
    expect(trust.holds).toBe(false);
    trust.rejected(0);
    expect(trust.holds).toBe(true);
  });

  it('is lost when a request passes that was sent after none were left, until a 429 says that none are', () => {
    const trust = new Trust();
    expect(trust.passed(0, 100, 0, 60_000)).toBe(false);
    expect(trust.passed(150, 250, 7, 60_000)).toBe(true);
    expect(trust.holds).toBe(false);
    trust.rejected(0);
    expect(trust.holds).toBe(true);
  });

  it('is lost when a window has two last requests', () => {
    const trust = new Trust();
    trust.passed(0, 100, 0, 60_000);
    expect(trust.passed(50, 150, 0, 60_000)).toBe(true);
  });

  it('outlasts answers that overtake each other', () => {
    const trust = new Trust();
    trust.passed(0, 100, 0, 60_000);
    expect(trust.passed(0, 150, 3, 60_000)).toBe(false);
    expect(trust.holds).toBe(true);
  });

  it('outlasts the next window, which may have begun a second before its announced time', () => {
    const trust = new Trust();
    trust.passed(0, 100, 0, 60_000);
    expect(trust.passed(58_950, 59_050, 99, 60_000)).toBe(false);
    expect(trust.holds).toBe(true);
  });
});
