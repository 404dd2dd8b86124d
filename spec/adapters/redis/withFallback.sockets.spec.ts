import { ignoreElements } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { silenceOf } from '../../../src/adapters/redis/withFallback.js';
import { handClock } from '../../support/handClock.js';

describe('silenceOf', () => {
  it('is over after its time', () =>
    marbles(({ expect$ }) => {
      expect$(silenceOf(50).pipe(ignoreElements())).toBeMarbles('50ms |');
    }));

  it('hears what came while this process was busy', async () => {
    const clock = handClock();
    const heard: string[] = [];
    silenceOf(200).subscribe({ complete: () => heard.push('silence') });
    clock.block(500);
    // A turn of the event loop later, as what a socket has received.
    await new Promise((resolve) => setImmediate(resolve));
    heard.push('answer');
    clock.move(200);
    expect(heard).toEqual(['answer', 'silence']);
  });
});
