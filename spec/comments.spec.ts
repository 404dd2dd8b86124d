import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesIn } from './support/sources.js';

/** Comment whose first word hides the noun that it is about. */
const NOUNLESS = /^\s*(?:\/\/|\/\*\*) *(?:What|Who|Whoever|Whom|Of)\b.*$/gm;

it('every comment begins with the noun that it is about', () => {
  const files = [...filesIn('src'), ...filesIn('spec')];
  const found = files.flatMap((file) => {
    const text = readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');
    return [...text.matchAll(NOUNLESS)].map(([comment]) => `${file}: ${comment.trim()}`);
  });
  expect(found).toEqual([]);
});
