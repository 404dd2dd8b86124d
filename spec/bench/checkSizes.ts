/**
 * Fails where a bundle of the build in `dist` has become more than 5 % larger than recorded: `npm run check:size`. With `--record` it records the
 * sizes as they are.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { bundle, ENTRIES } from './bundles.js';

const ROOM = 1.05;
const file = new URL('sizes.json', import.meta.url);

const sizes = Object.fromEntries(
  await Promise.all(Object.entries(ENTRIES).map(async ([name, contents]) => [name, (await bundle(contents)).size] as const)),
);
if (process.argv.includes('--record')) {
  await writeFile(file, `${JSON.stringify(sizes, undefined, 2)}\n`);
} else {
  const recorded = JSON.parse(await readFile(file, 'utf8')) as Readonly<Record<string, number>>;
  for (const [name, size] of Object.entries(sizes)) {
    const allowed = (recorded[name] ?? 0) * ROOM;
    if (size <= allowed) continue;
    console.error(
      `${name}: ${size} KiB, and ${allowed.toFixed(2)} are allowed; find the growth by npm run bench, or record it by npm run check:size -- --record`,
    );
    process.exitCode = 1;
  }
}
