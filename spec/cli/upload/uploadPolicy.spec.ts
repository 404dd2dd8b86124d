import { NetworkError, retryAfter } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { describe, it } from 'vitest';
import { uploadPolicy } from '../../../src/cli/upload/uploadPolicy.js';

describe('uploadPolicy', () => {
  it('outlasts ten seconds in which a name is not resolved', () =>
    marbles(({ cold, expect$ }) => {
      const unresolved = cold('#', undefined, new NetworkError('x', 'EAI_AGAIN'));
      const expected = '       15s #';
      expect$(unresolved.pipe(retryAfter(uploadPolicy))).toBeMarbles(expected, undefined, new NetworkError('x', 'EAI_AGAIN'));
    }));

  it('gives up on other failures of the network as policies.upload does', () =>
    marbles(({ cold, expect$ }) => {
      const reset = cold('     #', undefined, new NetworkError('x', 'ECONNRESET'));
      const expected = '       7s #';
      expect$(reset.pipe(retryAfter(uploadPolicy))).toBeMarbles(expected, undefined, new NetworkError('x', 'ECONNRESET'));
    }));
});
