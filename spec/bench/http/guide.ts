import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** Replaces a section of a guide: the lines between `<!-- SECTION -->` and `<!-- /SECTION -->`. */
export async function writeSection(section: string, content: string, name = 'benchmarks.md'): Promise<void> {
  const path = fileURLToPath(new URL(`../../guides/${name}`, import.meta.url));
  const guide = readFileSync(path, 'utf8');
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const [from, to] = [guide.indexOf(begin), guide.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${name} has no section ${section}`);
  const written = `${guide.slice(0, from)}${begin}\n\n${content}\n\n${guide.slice(to)}`;
  writeFileSync(path, await format(written, { ...(await resolveConfig(path)), filepath: path }));
  console.log(`${content}\n`);
}
