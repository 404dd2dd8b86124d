import { describe, expect, it } from 'vitest';
import { folderOf, SOURCE } from '../node/support.js';
import { loopback } from '../support/loopback.js';
import { coldfetch } from './support.js';

const LOGIN = '<!DOCTYPE html>\n<html><head><title>Sign in - Corp</title></head></html>';

describe('the command', () => {
  it('tells a page of another origin without the option of the library', async () => {
    const { url } = await loopback((_, response) => response.setHeader('link', '<http://other.example/2>; rel="next"').end('[1]'));
    const { code, stderr } = await coldfetch(['get', url, '--paginate']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('http://other.example')]);
    expect(stderr).not.toContain('crossOrigin');
  });

  it.each([
    ['--paginate', 'an HTML page ("Sign in - Corp"), not JSON'],
    ['--follow', 'Line 1 is not JSON but an HTML page'],
  ])('tells a login page in place of JSON as HTML: get %s', async (option, message) => {
    const { url } = await loopback((_, response) => response.setHeader('content-type', 'text/html').end(LOGIN));
    const { code, stderr } = await coldfetch(['get', url, option]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('tells a login page in place of JSON as HTML: upload', async () => {
    const { url } = await loopback((_, response) => response.end(LOGIN));
    const { code, stderr } = await coldfetch([
      ...['upload', await folderOf({ 'a.png': 'x' }), '--api', url, '--token', 'x'],
      ...['--commit', SOURCE.commit, '--branch', SOURCE.branch],
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('an HTML page ("Sign in - Corp"), not JSON')]);
  });

  it('speaks of no options of the library where the answer is not JSON', async () => {
    const { url } = await loopback((_, response) => response.end('nonsense'));
    for (const argv of [
      ['get', url, '--paginate'],
      ['upload', await folderOf({ 'a.png': 'x' }), '--api', url, '--token', 'x', '--commit', SOURCE.commit, '--branch', SOURCE.branch],
    ]) {
      const { code, stderr } = await coldfetch(argv);
      expect([code, stderr]).toEqual([1, expect.stringContaining('is not JSON')]);
      expect(stderr).not.toContain('responseType');
    }
  });
});
