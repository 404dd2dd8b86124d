import { describe, expect, it } from 'vitest';
import { loadPeers, type PeerImports } from '../../src/server/loadPeers.js';

const installed: PeerImports = {
  express: () => import('express'),
  rateLimit: () => import('express-rate-limit'),
  multer: () => import('multer'),
};

describe('the optional packages', () => {
  it('are found when installed', async () => {
    expect(await loadPeers()).toMatchObject({ express: expect.any(Function) as unknown, multer: expect.any(Function) as unknown });
  });

  it.each(['express', 'rateLimit', 'multer'])('are asked for by name when %s is missing', async (name) => {
    const missing = (): Promise<never> => Promise.reject(Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' }));
    await expect(loadPeers({ ...installed, [name]: missing })).rejects.toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: 'coldfetch/server needs packages that are not installed: npm install express express-rate-limit multer',
      }),
    );
  });

  it('that are broken fail with their own error', async () => {
    const broken = new SyntaxError('Unexpected token');
    await expect(loadPeers({ ...installed, express: () => Promise.reject(broken) })).rejects.toBe(broken);
  });
});
