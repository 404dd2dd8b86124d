import { describe, expect, it } from 'vitest';
import { loadUndici, requireUndici, UNDICI } from '../../../src/adapters/undici/loadUndici.js';
import { isDispatcher } from '../../../src/adapters/undici/Dispatcher.js';
import { failureOf } from '../../support/failureOf.js';

const installed = (version: string, node?: string) => () => ({ version, folder: '/app/node_modules/undici', node });
const missing = Object.assign(new Error("Cannot find package 'undici'"), { code: 'ERR_MODULE_NOT_FOUND' });
const usageError = (message: string): unknown => expect.objectContaining({ name: 'UsageError', message });

describe('requireUndici', () => {
  it.each(['5.29.0', '4.0.0'])('refuses one that is too old, by its version and its place: %s', (version) => {
    expect(failureOf(() => requireUndici({ installed: installed(version) }))).toEqual(
      usageError(
        `coldfetch/undici needs undici 6 or later, and undici ${version} (/app/node_modules/undici) is installed: npm install undici@7`,
      ),
    );
  });

  it.each(['6.0.0', '7.30.2', '8.13.1', '10.0.0'])('takes the others: %s', (version) => {
    expect(() => requireUndici({ installed: installed(version) })).not.toThrow();
  });

  it('takes one that it does not find, as in a bundle, and one whose version cannot be read', () => {
    expect(() => requireUndici({ installed: () => undefined })).not.toThrow();
    expect(() => requireUndici({ installed: installed('') })).not.toThrow();
  });
});

describe('loadUndici', () => {
  it('gives the global dispatcher of undici', async () => {
    expect(isDispatcher((await loadUndici(UNDICI))())).toBe(true);
  });

  it('says what to install where undici is missing', async () => {
    const load = () => Promise.reject(missing);
    await expect(loadUndici({ load, installed: () => undefined })).rejects.toEqual(
      usageError('coldfetch/undici needs the package undici, which is not installed: npm install undici@7'),
    );
  });

  it('says which one does not load on this Node, and what that asks for', async () => {
    const cause = new TypeError("Cannot read properties of undefined (reading 'bind')");
    const error: unknown = await loadUndici({
      load: () => Promise.reject(cause),
      installed: installed('8.13.1', '>=22.19.0'),
    }).catch((reason: unknown) => reason);
    expect(error).toEqual(
      usageError(
        `coldfetch/undici: undici 8.13.1 (/app/node_modules/undici) does not load on Node ${process.version}, and asks for >=22.19.0: npm install undici@7`,
      ),
    );
    expect(error).toHaveProperty('cause', cause);
  });

  it('says that a bundle of modules cannot hold undici, whatever version is installed', async () => {
    const load = () => Promise.reject(new Error('Dynamic require of "node:assert" is not supported'));
    await expect(loadUndici({ load, installed: installed('7.30.2', '>=20.18.1') })).rejects.toEqual(
      usageError(
        'coldfetch/undici: undici does not load from this bundle: Dynamic require of "node:assert" is not supported. Leave undici out of the bundle (external), or define require by createRequire(import.meta.url) in a banner',
      ),
    );
  });

  it('fails with the error of a bundled one that does not load', async () => {
    const broken = new SyntaxError('Unexpected token');
    await expect(loadUndici({ load: () => Promise.reject(broken), installed: () => undefined })).rejects.toBe(broken);
  });

  it('says that Bun has no dispatchers', async () => {
    // The name `undici` is that of a module of Bun's own there.
    const load = () => Promise.resolve({ getGlobalDispatcher: () => ({}) });
    await expect(loadUndici({ load, installed: () => undefined })).rejects.toThrow(/no dispatchers/);
  });
});
