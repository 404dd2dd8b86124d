import { describe, expect, it } from 'vitest';
import { SlowStart } from '../../../src/pace/window/SlowStart.js';

/** Milliseconds until the next may go at `now`, with nothing else in the way. */
const next = (requests: SlowStart, now: number, roundTrip = Infinity, all = false): number =>
  requests.untilNext(now, Infinity, roundTrip, all);

function sendAll(requests: SlowStart, now: number): number {
  let sent = 0;
  for (; next(requests, now) === 0; sent++) requests.send(now);
  return sent;
}

describe('SlowStart', () => {
  it('sends one, and twice as many with every round trip of answers', () => {
    const requests = new SlowStart();
    requests.allowance = 100;
    const sent = [0, 100, 200, 300].map((now) => {
      while (requests.inFlight > 0) requests.answer();
      return sendAll(requests, now);
    });
    expect(sent).toEqual([1, 2, 4, 8]);
  });

  it('sends as many first as it is told, and from then on one more with each answer', () => {
    const requests = new SlowStart(6);
    expect([requests.allowance, sendAll(requests, 0), requests.usedUp]).toEqual([6, 6, true]);
    requests.allowance = 100;
    requests.answer();
    expect(sendAll(requests, 10)).toBe(2);
  });

  it('gives the first few company after a second, too', () => {
    const requests = new SlowStart(3);
    for (const now of [0, 200, 400]) requests.send(now);
    expect([next(requests, 400), next(requests, 1400)]).toEqual([1000, 0]);
  });

  it('never sends more than is allowed', () => {
    const requests = new SlowStart();
    sendAll(requests, 0);
    requests.answer();
    expect([requests.usedUp, next(requests, 5)]).toEqual([true, Infinity]);
    requests.allowance = 2;
    expect([sendAll(requests, 5), requests.usedUp]).toEqual([1, true]);
  });

  it('hands the turn of a first request without an answer on, but not that of a later one', () => {
    const requests = new SlowStart();
    requests.send(0);
    requests.lose();
    expect([requests.sent, next(requests, 1)]).toEqual([0, 0]);
    requests.send(1);
    requests.answer();
    requests.allowance = 2;
    requests.send(2);
    requests.lose();
    expect([requests.sent, next(requests, 3)]).toEqual([2, Infinity]);
  });

  it('gives back the part of a request that the window does not count, and lets twice as many try', () => {
    const requests = new SlowStart();
    const sent = [0, 100, 200].map((now) => {
      while (requests.inFlight > 0) requests.uncount();
      return sendAll(requests, now);
    });
    expect(sent).toEqual([1, 2, 4]);
    requests.answer();
    expect([requests.sent, requests.answered]).toEqual([4, 1]);
  });

  it('gives a first request company after a second or four round trips, and more after as long again', () => {
    const requests = new SlowStart();
    requests.send(0);
    expect([next(requests, 0), next(requests, 400), next(requests, 1000), next(requests, 0, 100), next(requests, 0, 500)]).toEqual([
      1000, 600, 0, 1000, 2000,
    ]);
    requests.send(1000);
    expect([next(requests, 1000), next(requests, 2000)]).toEqual([1000, 0]);
  });

  it('lets all go then where nothing is known of a limit', () => {
    const requests = new SlowStart();
    requests.send(0);
    requests.send(1000);
    expect(next(requests, 1000, Infinity, true)).toBe(0);
  });

  it('has nobody to wait for once nothing limits it', () => {
    const requests = new SlowStart();
    requests.send(0);
    requests.answer();
    requests.unlimit();
    for (let i = 0; i < 1000; i++) requests.send(1);
    expect(next(requests, 1)).toBe(0);
  });
});
