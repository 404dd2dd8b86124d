/**
 * Tries the package, as packed, wherever it is used: `npm run matrix`, or a part of it, `npm run matrix -- node typescript bun`. Names are
 * those of sections, or beginnings of their rows. The tables of the guide to the platforms are written anew; what does not hold is printed,
 * and the exit code is 1. Downloads are kept in the user's cache folder.
 */
import { pack } from '../support/packedProject.js';
import { writeTables } from './guideTable.js';
import type { Row, RowResult, Section } from './Section.js';
import { bundlers } from './sections/bundlers.js';
import { installs } from './sections/installs.js';
import { runtimes } from './sections/runtimes.js';
import { testRunners } from './sections/testRunners.js';
import { typeScripts } from './sections/typeScripts.js';

const SECTIONS = [runtimes, typeScripts, bundlers, testRunners, installs];
const AT_ONCE = 2;

interface Job {
  readonly section: Section;
  readonly row: Row;
}

const names = process.argv.slice(2).map((name) => name.toLowerCase());
const jobs = SECTIONS.flatMap((section) => section.rows.map((row) => ({ section, row }))).filter(isSelected);
if (jobs.length === 0) {
  const known = SECTIONS.flatMap(({ name, rows }) => [`${name}:`, ...rows.map(({ title }) => `  ${title}`)]);
  throw new Error(`Nothing is called ${names.join(' or ')}; there are\n${known.join('\n')}`);
}

function isSelected({ section, row }: Job): boolean {
  return names.length === 0 || names.some((name) => section.name === name || row.title.toLowerCase().startsWith(name));
}

const tried = new Map<Section, Map<string, readonly string[]>>(SECTIONS.map((section) => [section, new Map()]));
let failures = 0;
let written = Promise.resolve();

async function work({ tarball }: { readonly tarball: string }): Promise<void> {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const { section, row } = job;
    const start = performance.now();
    const result: RowResult = await row.run({ tarball });
    tried.get(section)?.set(row.title, result.cells);
    failures += result.failures.length;
    // One after the other, and each row at once: a run that is stopped keeps what it has found.
    written = written.then(() => writeTables(tried));
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log([`${row.title}: ${result.cells.join(' | ')}  (${seconds} s)`, ...result.failures.map(indented)].join('\n'));
  }
}

function indented(text: string): string {
  return `  ${text.trim().slice(0, 4000).replaceAll('\n', '\n    ')}`;
}

const packed = await pack();
try {
  for (const { prepare } of new Set(jobs.map(({ section }) => section))) await prepare?.(packed);
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(packed)));
  await written;
} finally {
  await packed.remove();
}
process.exitCode = failures > 0 ? 1 : 0;
