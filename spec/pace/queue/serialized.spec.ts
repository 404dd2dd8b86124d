import { describe, expect, it } from 'vitest';
import { serialized } from '../../../src/pace/queue/serialized.js';

describe('serialized', () => {
  it('runs at once', () => {
    let runs = 0;
    const { run, isRunning } = serialized(() => runs++);
    run();
    run();
    expect([runs, isRunning()]).toEqual([2, false]);
  });

  it('runs once more behind a run in which it is called, however often', () => {
    const log: string[] = [];
    const { run, isRunning } = serialized(() => {
      const first = log.length === 0;
      log.push('begins');
      if (first) for (let n = 0; n < 3; n++) run();
      log.push(isRunning() ? 'ends' : 'ends outside');
    });
    run();
    expect(log).toEqual(['begins', 'ends', 'begins', 'ends']);
  });

  it('runs again after a run that throws', () => {
    let runs = 0;
    const { run, isRunning } = serialized(() => {
      if (runs++ === 0) throw new RangeError('broken');
    });
    expect(run).toThrow(RangeError);
    expect(isRunning()).toBe(false);
    run();
    expect(runs).toBe(2);
  });
});
