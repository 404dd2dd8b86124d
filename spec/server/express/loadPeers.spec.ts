import { describe, expect, it } from 'vitest';
import { loadPeers, type PeerImports } from '../../../src/server/express/loadPeers.js';

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

  it.each([
    ['express', '3.21.2', 'express 4.17'],
    ['express-rate-limit', '6.11.2', 'express-rate-limit 7.5'],
    ['express-rate-limit', '7.4.1', 'express-rate-limit 7.5'],
    ['multer', '0.1.8', 'multer 1.4'],
  ])('are refused when too old: %s %s', async (name, version, oldest) => {
    const versionOf = (asked: string): string => (asked === name ? version : '99.0.0');
    await expect(loadPeers(installed, versionOf)).rejects.toThrow(
      `coldfetch/server needs ${oldest} or later, and ${version} is installed: npm install ${name}@latest`,
    );
  });

  it('whose versions cannot be read are tried', async () => {
    expect(await loadPeers(installed, () => undefined)).toHaveProperty('express');
  });

  it('that are broken fail with their own error', async () => {
    const broken = new SyntaxError('Unexpected token');
    await expect(loadPeers({ ...installed, express: () => Promise.reject(broken) })).rejects.toBe(broken);
  });
});
