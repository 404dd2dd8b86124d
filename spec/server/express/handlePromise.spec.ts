import { describe, expect, it } from 'vitest';
import { handlePromise } from '../../../src/server/express/handlePromise.js';

describe('handlePromise', () => {
  it('hands a rejection on to the error handlers', async () => {
    const failure = new Error('no');
    const handler = handlePromise(() => Promise.reject(failure));
    const handled = await new Promise((resolve) => {
      Reflect.apply(handler, undefined, [undefined, undefined, resolve]);
    });
    expect(handled).toBe(failure);
  });
});
