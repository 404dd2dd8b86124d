import { describe, expect, it } from 'vitest';
import { Census } from '../../../src/pace/window/Census.js';

describe('Census', () => {
  it('knows nothing, then as many clients as showed themselves in the part of the slot that passed, the way of a call included', () => {
    const census = new Census();
    expect([census.clients, census.alone]).toEqual([Infinity, false]);
    expect(census.learn(4, 0.4)).toBe(4);
    expect([census.clients, census.alone]).toEqual([8, false]);
  });

  it('never counts less than one, which is itself', () => {
    const census = new Census();
    census.learn(0, 1);
    expect([census.clients, census.alone]).toEqual([1, true]);
  });

  it('is alone below one and a half, where nothing is to be shared', () => {
    const census = new Census();
    census.learn(1.4, 1);
    expect(census.alone).toBe(true);
    census.learn(1.8, 1);
    expect(census.alone).toBe(false);
  });

  it('comes to believe a new number within a few windows, however long the old one held', () => {
    const census = new Census();
    for (let i = 0; i < 1000; i++) census.learn(10, 1);
    for (let i = 0; i < 4; i++) census.learn(30, 1);
    expect(census.clients).toBeGreaterThan(25);
  });

  it('does not count those who take at once and answer no call', () => {
    const census = new Census();
    for (const moment of [0.9, 0.2, 0.6]) census.learn(100 + 20 * moment, moment);
    expect(census.takenByStrangers).toBe(100);
    expect(census.learn(110, 0.5)).toBe(10);
  });

  it('agrees on the clients when two windows have told, and takes one for granted until then', () => {
    const census = new Census();
    expect(census.agreedClients).toBe(1);
    census.learn(10, 0.9);
    expect([census.clients, census.agreedClients]).toEqual([10, 1]);
    census.learn(12, 0.9);
    expect(census.agreedClients).toBe(11);
  });

  it('forgets everything when told that it was wrong', () => {
    const census = new Census();
    for (const used of [8, 8, 8]) census.learn(used, 1);
    census.forget();
    expect([census.clients, census.agreedClients]).toEqual([Infinity, 1]);
    census.learn(8, 1);
    expect(census.agreedClients).toBe(1);
  });
});
