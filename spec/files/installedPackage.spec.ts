import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installedPackage } from '../../src/files/installedPackage.js';

describe('installedPackage', () => {
  it.each(['express', 'express-rate-limit', 'multer', 'undici'])(
    'reads version and folder of %s, whether its package.json is exported or not',
    (name) => {
      const { version = '', folder = '' } = installedPackage(name) ?? {};
      expect(version).toMatch(/^\d+\.\d+\.\d+/);
      expect(existsSync(join(folder, 'package.json'))).toBe(true);
    },
  );

  it('reads the versions of Node that a package asks for', () => {
    expect(installedPackage('undici')?.node).toMatch(/\d/);
  });

  it('knows none of a package that is not there', () => {
    expect(installedPackage('no-such-package-anywhere')).toBeUndefined();
  });
});
