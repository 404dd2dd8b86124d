import { readdir, readFile } from 'node:fs/promises';
import { delay } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { marbles } from 'coldfetch/testing';
import { failureOf } from '../../support/failureOf.js';
import { namedSnippets } from '../../support/namedSnippets.js';

const guide = await namedSnippets(new URL('guide.md', import.meta.url));
const code = guide.filter(({ language }) => language === 'ts');
const [message] = guide.filter(({ language }) => language === 'text');

describe('the guide to marbles', () => {
  it.each(code)('shows $name as it is run', async ({ name, code }) => {
    expect(await readFile(new URL(name, import.meta.url), 'utf8')).toContain(code);
  });

  it('shows every file of its folder', async () => {
    const files = await readdir(new URL('.', import.meta.url));
    const shown = new Set(code.map(({ name }) => name));
    expect(files.filter((file) => !file.startsWith('guide.') && !shown.has(file))).toEqual([]);
  });

  it('shows a failure as it is', () => {
    const failure = failureOf(() =>
      marbles(({ cold, expect$ }) => {
        const user = cold('10ms (u|)', { u: { id: 1 } });
        expect$(user.pipe(delay(2000))).toBeMarbles('5ms 3s 5ms (u|)', { u: { id: 1 } });
      }),
    );
    expect(`${failure.message}\n`).toBe(message?.code);
  });
});
