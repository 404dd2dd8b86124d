import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const GUIDE = fileURLToPath(new URL('../../guides/benchmarks.md', import.meta.url));

/** Replaces a section of the guide: the lines between `<!-- NAME -->` and `<!-- /NAME -->`. */
export async function writeSection(name: string, content: string): Promise<void> {
  const guide = readFileSync(GUIDE, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [guide.indexOf(begin), guide.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`benchmarks.md has no section ${name}`);
  const written = `${guide.slice(0, from)}${begin}\n\n${content}\n\n${guide.slice(to)}`;
  writeFileSync(GUIDE, await format(written, { ...(await resolveConfig(GUIDE)), filepath: GUIDE }));
  console.log(`${content}\n`);
}
