import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import type { Section } from './Section.js';

const GUIDE = fileURLToPath(new URL('../guides/platforms.md', import.meta.url));

/** Cells of the rows that were tried, by section and title. */
export type Tried = ReadonlyMap<Section, ReadonlyMap<string, readonly string[]>>;

/** Writes the rows that were tried into the tables of the guide; the others stay as they are. */
export async function writeTables(tried: Tried): Promise<void> {
  let text = await readFile(GUIDE, 'utf8');
  for (const [section, cells] of tried) text = withTable(text, section, cells);
  await writeFile(GUIDE, await format(text, { ...(await resolveConfig(GUIDE)), filepath: GUIDE }));
}

/** A text with the rows of a section between its marks: those that were tried anew, the others as they were. */
export function withTable(text: string, { name, columns, rows }: Section, tried: ReadonlyMap<string, readonly string[]>): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`] as const;
  const [before, rest] = cut(text, begin);
  const [table, after] = cut(rest, end);
  const earlier = new Map(table.split('\n').map((line) => [cellsIn(line)[0] ?? '', cellsIn(line).slice(1)]));
  const lines = rows.flatMap(({ title }) => {
    const cells = tried.get(title) ?? earlier.get(title);
    return cells === undefined ? [] : [lineOf([title, ...cells])];
  });
  return [before + begin, '', lineOf(columns), lineOf(columns.map(() => '---')), ...lines, '', end + after].join('\n');
}

function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`${GUIDE} has no ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function cellsIn(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
