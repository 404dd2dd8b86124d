import { marbles } from 'coldfetch/testing';
import { timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { OriginTraffic } from '../../../src/adapters/undici/OriginTraffic.js';

/** An idle timeout that notes what it is told. */
function idle() {
  const told: string[] = [];
  return { told, touch: () => told.push('touch'), pause: () => told.push('pause') };
}

/** Traffic of so many requests that are held back. */
function heldBack(count: number) {
  const traffic = new OriginTraffic();
  const held = [...Array(count).keys()].map(() => {
    const timeout = idle();
    traffic.dispatch(timeout);
    traffic.hold(timeout);
    return timeout;
  });
  return { traffic, held };
}

describe('a request that is held back', () => {
  it('is owed a connection as long as nobody has one', () => {
    const { held } = heldBack(2);
    expect(held.map(({ told }) => told)).toEqual([[], []]);
  });

  it('is owed nothing while another has one, also where it came later', () => {
    const { traffic, held } = heldBack(2);
    const first = idle();
    traffic.dispatch(first);
    traffic.begin(first);
    const later = idle();
    traffic.dispatch(later);
    traffic.hold(later);
    expect([...held, later].map(({ told }) => told)).toEqual([['pause'], ['pause'], ['pause']]);
  });

  it('is owed nothing between one that ends and the next, and a connection when none comes next', () =>
    marbles(() => {
      const { traffic, held } = heldBack(2);
      const [second, third] = held;
      const first = idle();
      traffic.dispatch(first);
      traffic.begin(first);
      traffic.end(first);
      if (second) traffic.begin(second);
      if (second) timer(10).subscribe(() => traffic.end(second));
      timer(9).subscribe(() => expect(third?.told).toEqual(['pause']));
      timer(11).subscribe(() =>
        expect([second?.told, third?.told]).toEqual([
          ['pause', 'touch'],
          ['pause', 'touch'],
        ]),
      );
    }));

  it('is forgotten when it is given up', () => {
    const { traffic, held } = heldBack(2);
    held.forEach((each) => {
      traffic.end(each);
      traffic.begin(each);
    });
    expect(traffic.isEmpty).toBe(true);
  });
});
