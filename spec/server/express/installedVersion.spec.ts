import { describe, expect, it } from 'vitest';
import { installedVersion } from '../../../src/server/express/installedVersion.js';

describe('installedVersion', () => {
  it.each(['express', 'express-rate-limit', 'multer'])('reads the version of %s, whether its package.json is exported or not', (name) => {
    expect(installedVersion(name)).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('knows no version of a package that is not there', () => {
    expect(installedVersion('no-such-package-anywhere')).toBeUndefined();
  });
});
