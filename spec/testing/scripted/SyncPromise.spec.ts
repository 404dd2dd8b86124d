import { from, lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { SyncPromise } from '../../../src/testing/scripted/SyncPromise.js';

/** State of a promise by now, without waiting. */
function outcome(promise: PromiseLike<unknown>): unknown[] {
  const seen: unknown[] = [];
  promise.then(
    (value) => seen.push('value', value),
    (reason: unknown) => seen.push('reason', reason),
  );
  return seen;
}

describe('SyncPromise', () => {
  it('calls back at once', () => {
    expect(outcome(SyncPromise.resolve(1))).toEqual(['value', 1]);
    expect(outcome(SyncPromise.reject('no'))).toEqual(['reason', 'no']);
  });

  it('calls back when it settles later', () => {
    let settle: (value: number) => void = () => undefined;
    const seen = outcome(new SyncPromise<number>((resolve) => (settle = resolve)));
    expect(seen).toEqual([]);
    settle(1);
    expect(seen).toEqual(['value', 1]);
  });

  it('chains values, and flattens what then returns', () => {
    const chained = SyncPromise.resolve(1)
      .then((value) => value + 1)
      .then((value) => SyncPromise.resolve(SyncPromise.resolve(value * 10)))
      .then(undefined, () => 'not called');
    expect(outcome(chained)).toEqual(['value', 20]);
  });

  it('routes rejections and throws to the next handler', () => {
    const broken = new Error('broken');
    const failing = SyncPromise.resolve(1).then(() => {
      throw broken;
    });
    expect(outcome(failing.then(() => 'not called'))).toEqual(['reason', broken]);
    expect(outcome(failing.catch((reason) => [reason]))).toEqual(['value', [broken]]);
    expect(outcome(SyncPromise.resolve(SyncPromise.reject(broken)))).toEqual(['reason', broken]);
  });

  it('rejects with what its executor throws, unless it has settled before', () => {
    const broken = new Error('broken');
    expect(
      outcome(
        new SyncPromise(() => {
          throw broken;
        }),
      ),
    ).toEqual(['reason', broken]);
    expect(
      outcome(
        new SyncPromise((resolve) => {
          resolve(1);
          throw broken;
        }),
      ),
    ).toEqual(['value', 1]);
  });

  it('settles once', () => {
    expect(
      outcome(
        new SyncPromise((resolve, reject) => {
          resolve(1);
          resolve(2);
          reject('no');
        }),
      ),
    ).toEqual(['value', 1]);
  });

  it('passes on values and reasons through finally', () => {
    let calls = 0;
    const count = (): void => {
      calls++;
    };
    expect(outcome(SyncPromise.resolve(1).finally(count))).toEqual(['value', 1]);
    expect(outcome(SyncPromise.reject('no').finally(count))).toEqual(['reason', 'no']);
    expect(calls).toBe(2);
  });

  it('is what `from` takes, and is awaited like any promise', async () => {
    await expect(lastValueFrom(from(SyncPromise.resolve(1)))).resolves.toBe(1);
    expect(await SyncPromise.resolve(Promise.resolve(2))).toBe(2);
    await expect(SyncPromise.reject(new Error('no'))).rejects.toThrow('no');
  });
});
