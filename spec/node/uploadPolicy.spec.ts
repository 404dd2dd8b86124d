import { NetworkError, policies, retryAfter } from 'coldfetch';
import { uploadPolicy } from 'coldfetch/node';
import { marbles } from 'coldfetch/testing';
import { describe, expect, it } from 'vitest';
import { resolveBuildOptions } from '../../src/node/upload/build/resolveBuildOptions.js';

describe('uploadPolicy', () => {
  it('outlasts ten seconds in which a name is not resolved', () =>
    marbles(({ cold, expect$ }) => {
      const unresolved = cold('#', undefined, new NetworkError('x', 'EAI_AGAIN'));
      const expected = '       15s #';
      expect$(unresolved.pipe(retryAfter(uploadPolicy))).toBeMarbles(expected, undefined, new NetworkError('x', 'EAI_AGAIN'));
    }));

  it('is that of a build unless another is given', () => {
    const options = { commit: 'c'.repeat(40), branch: 'main' };
    expect(resolveBuildOptions(options).retry).toBe(uploadPolicy);
    expect(resolveBuildOptions({ ...options, retry: policies.patient }).retry).toBe(policies.patient);
  });

  it('gives up on other failures of the network as policies.upload does', () =>
    marbles(({ cold, expect$ }) => {
      const reset = cold('     #', undefined, new NetworkError('x', 'ECONNRESET'));
      const expected = '       7s #';
      expect$(reset.pipe(retryAfter(uploadPolicy))).toBeMarbles(expected, undefined, new NetworkError('x', 'ECONNRESET'));
    }));
});
