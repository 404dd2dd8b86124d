import { describe, expect, it } from 'vitest';
import { Batch } from '../../../src/pace/window/Batch.js';

/** Ms until the next may go at `now`, with nothing else in the way. */
const next = (batch: Batch, now: number, roundTrip = Infinity, all = false): number => batch.untilNext(now, Infinity, roundTrip, all);

function sendAll(batch: Batch, now: number): number {
  let sent = 0;
  for (; next(batch, now) === 0; sent++) batch.send(now);
  return sent;
}

describe('Batch', () => {
  it('sends one, and twice as many with every round trip of answers', () => {
    const batch = new Batch();
    batch.allowance = 100;
    const sent = [0, 100, 200, 300].map((now) => {
      while (batch.inFlight > 0) batch.answer();
      return sendAll(batch, now);
    });
    expect(sent).toEqual([1, 2, 4, 8]);
  });

  it('sends as many first as it is told, and from then on one more with each answer', () => {
    const batch = new Batch(6);
    expect([batch.allowance, sendAll(batch, 0), batch.usedUp]).toEqual([6, 6, true]);
    batch.allowance = 100;
    batch.answer();
    expect(sendAll(batch, 10)).toBe(2);
  });

  it('gives a first few company after a second, too', () => {
    const batch = new Batch(3);
    for (const now of [0, 200, 400]) batch.send(now);
    expect([next(batch, 400), next(batch, 1400)]).toEqual([1000, 0]);
  });

  it('never sends more than is allowed', () => {
    const batch = new Batch();
    sendAll(batch, 0);
    batch.answer();
    expect([batch.usedUp, next(batch, 5)]).toEqual([true, Infinity]);
    batch.allowance = 2;
    expect([sendAll(batch, 5), batch.usedUp]).toEqual([1, true]);
  });

  it('hands the turn of a first request without an answer on, but not that of a later one', () => {
    const batch = new Batch();
    batch.send(0);
    batch.lose();
    expect([batch.sent, next(batch, 1)]).toEqual([0, 0]);
    batch.send(1);
    batch.answer();
    batch.allowance = 2;
    batch.send(2);
    batch.lose();
    expect([batch.sent, next(batch, 3)]).toEqual([2, Infinity]);
  });

  it('gives back the part of a request that was none of its own, and lets twice as many try', () => {
    const batch = new Batch();
    const sent = [0, 100, 200].map((now) => {
      while (batch.inFlight > 0) batch.spare();
      return sendAll(batch, now);
    });
    expect(sent).toEqual([1, 2, 4]);
    batch.answer();
    expect([batch.sent, batch.answered]).toEqual([4, 1]);
  });

  it('gives a first request company after a second or four round trips, and more after as long again', () => {
    const batch = new Batch();
    batch.send(0);
    expect([next(batch, 0), next(batch, 400), next(batch, 1000), next(batch, 0, 100), next(batch, 0, 500)]).toEqual([
      1000, 600, 0, 1000, 2000,
    ]);
    batch.send(1000);
    expect([next(batch, 1000), next(batch, 2000)]).toEqual([1000, 0]);
  });

  it('lets all go then where nothing is known of a limit', () => {
    const batch = new Batch();
    batch.send(0);
    batch.send(1000);
    expect(next(batch, 1000, Infinity, true)).toBe(0);
  });

  it('has nobody to wait for once nothing limits it', () => {
    const batch = new Batch();
    batch.send(0);
    batch.answer();
    batch.unleash();
    for (let i = 0; i < 1000; i++) batch.send(1);
    expect(next(batch, 1)).toBe(0);
  });
});
