import { glob } from 'tinyglobby';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BROWSER_FILES } from '../support/browserFiles.js';

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
