import { describe, expect, it } from 'vitest';
import { ClientEstimate } from '../../../src/pace/window/ClientEstimate.js';

describe('ClientEstimate', () => {
  it('knows nothing, then as many clients as showed themselves in the part of the slot that passed, the way of a probe included', () => {
    const estimate = new ClientEstimate();
    expect([estimate.clients, estimate.alone]).toEqual([Infinity, false]);
    expect(estimate.learn(4, 0.4)).toBe(4);
    expect([estimate.clients, estimate.alone]).toEqual([8, false]);
  });

  it('never counts less than one, which is itself', () => {
    const estimate = new ClientEstimate();
    estimate.learn(0, 1);
    expect([estimate.clients, estimate.alone]).toEqual([1, true]);
  });

  it('is alone below one and a half, where nothing is to be shared', () => {
    const estimate = new ClientEstimate();
    estimate.learn(1.4, 1);
    expect(estimate.alone).toBe(true);
    estimate.learn(1.8, 1);
    expect(estimate.alone).toBe(false);
  });

  it('adopts a new number within a few windows, however long the old one held', () => {
    const estimate = new ClientEstimate();
    for (let i = 0; i < 1000; i++) estimate.learn(10, 1);
    for (let i = 0; i < 4; i++) estimate.learn(30, 1);
    expect(estimate.clients).toBeGreaterThan(25);
  });

  it('does not count consumption by clients that send no probe', () => {
    const estimate = new ClientEstimate();
    for (const moment of [0.9, 0.2, 0.6]) estimate.learn(100 + 20 * moment, moment);
    expect(estimate.baseline).toBe(100);
    expect(estimate.learn(110, 0.5)).toBe(10);
  });

  it('agrees on the clients when two windows have told, and takes one for granted until then', () => {
    const estimate = new ClientEstimate();
    expect(estimate.agreedClients).toBe(1);
    estimate.learn(10, 0.9);
    expect([estimate.clients, estimate.agreedClients]).toEqual([10, 1]);
    estimate.learn(12, 0.9);
    expect(estimate.agreedClients).toBe(11);
  });

  it('forgets everything when told that it was wrong', () => {
    const estimate = new ClientEstimate();
    for (const used of [8, 8, 8]) estimate.learn(used, 1);
    estimate.forget();
    expect([estimate.clients, estimate.agreedClients]).toEqual([Infinity, 1]);
    estimate.learn(8, 1);
    expect(estimate.agreedClients).toBe(1);
  });
});
