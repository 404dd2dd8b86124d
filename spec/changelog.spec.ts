import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesIn } from './support/sources.js';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8');

/** Names of values that an index exports; types are found by the names of the functions that take them. */
function valuesOf(index: string): string[] {
  return [...read(index).matchAll(/export \{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !name.startsWith('type '));
}

it('the changelog names every value that is exported', () => {
  const changelog = read('CHANGELOG.md');
  const names = filesIn('src')
    .filter((file) => file.endsWith('/index.ts'))
    .flatMap(valuesOf);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !new RegExp(`\`${name}(?:\\(.*?\\))?\``).test(changelog) && !changelog.includes(`\`${name}(`))).toEqual([]);
});
