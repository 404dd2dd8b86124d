import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { glob } from 'tinyglobby';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as coldfetch from '../../src/core/index.js';
import { BROWSER_FILES, forBrowsers } from '../support/browserFiles.js';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

describe('the files for browsers', () => {
  it('are all named in package.json, each beside the file that it stands in for', async () => {
    const files = await glob('**/*.browser.ts', { cwd: src, absolute: true });
    expect([...BROWSER_FILES.values()].sort()).toEqual(files.sort());
    expect([...BROWSER_FILES.keys()]).toEqual([...BROWSER_FILES.values()].map((file) => file.replace('.browser.ts', '.ts')));
  });

  it.each([...BROWSER_FILES].map(([file, standIn]) => [standIn.slice(src.length), file, standIn]))(
    '%s exports what the other one does',
    async (_, file, standIn) => {
      const names = async (path: string): Promise<string[]> => Object.keys((await import(pathToFileURL(path).href)) as object).sort();
      expect(await names(standIn)).toEqual(await names(file));
    },
  );
});

/** Servers at the edge take bundles that are made for browsers. */
describe.each(['Node', 'Cloudflare-Workers'])('a bundle for browsers that runs on the server %s', (platform) => {
  async function bundled(): Promise<typeof coldfetch> {
    const folder = await mkdtemp(join(tmpdir(), 'edge-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const outfile = join(folder, 'bundle.mjs');
    await build({
      entryPoints: [`${src}core/index.ts`],
      bundle: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker', 'browser'],
      plugins: [forBrowsers],
      outfile,
    });
    vi.stubGlobal('navigator', { userAgent: platform });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    return (await import(pathToFileURL(outfile).href)) as typeof coldfetch;
  }

  it('sends no header field of its caller to another origin, and refuses redirects where it is to', async () => {
    const { createClient } = await bundled();
    const sent: string[] = [];
    const http = createClient({
      headers: { 'x-api-key': 'secret' },
      baseUrl: 'https://api.example',
      fetch: (input, init) => {
        const { url, headers, redirect } = new Request(input, init);
        sent.push(`${url} ${redirect} ${headers.get('x-api-key') ?? 'no key'}`);
        if (redirect === 'error') return Promise.reject(new TypeError('fetch failed', { cause: new Error('unexpected redirect') }));
        const location = 'https://other.example/b';
        return Promise.resolve(url === location ? Response.json('there') : new Response(null, { status: 302, headers: { location } }));
      },
    });
    await expect(firstValueFrom(http.get('/a'))).resolves.toBe('there');
    expect(sent).toEqual(['https://api.example/a manual secret', 'https://other.example/b follow no key']);
    const file = { stream: new Blob(['a']).stream(), length: 1 };
    await expect(firstValueFrom(http.put('/a', () => file))).rejects.toMatchObject({ code: 'ERR_REDIRECT_REFUSED' });
    await expect(firstValueFrom(http.get('/a', { fetchOptions: { redirect: 'error' } }))).rejects.toMatchObject({
      code: 'ERR_REDIRECT_REFUSED',
    });
    const mode = platform === 'Node' ? 'error' : 'manual';
    expect(sent.slice(2)).toEqual([`https://api.example/a ${mode} secret`, `https://api.example/a ${mode} secret`]);
  });
});
