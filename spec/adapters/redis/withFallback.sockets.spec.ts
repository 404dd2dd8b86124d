import { ignoreElements } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { silenceOf } from '../../../src/adapters/redis/withFallback.js';

describe('silenceOf', () => {
  it('is over after its time', () =>
    marbles(({ expect$ }) => {
      expect$(silenceOf(50).pipe(ignoreElements())).toBeMarbles('50ms |');
    }));

  it('hears what came while this process was busy', async () => {
    const heard: string[] = [];
    const over = new Promise<void>((resolve) => {
      setImmediate(() => {
        silenceOf(200).subscribe({
          complete: () => {
            heard.push('silence');
            resolve();
          },
        });
        const until = performance.now() + 500;
        while (performance.now() < until);
        // A turn of the event loop later, as what a socket has received.
        setImmediate(() => setImmediate(() => heard.push('answer')));
      });
    });
    await over;
    expect(heard).toEqual(['answer', 'silence']);
  });
});
