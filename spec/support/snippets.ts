import { readFileSync } from 'node:fs';

/** A TypeScript block of a Markdown file. */
export interface Snippet {
  /** The heading above it and its number, for titles. */
  readonly title: string;
  readonly code: string;
  /** True if it is itself a spec. */
  readonly isSpec: boolean;
}

/** The TypeScript blocks of a Markdown file, in order. */
export function snippets(markdown: URL): Snippet[] {
  const text = readFileSync(markdown, 'utf8');
  const found: Snippet[] = [];
  let heading = '';
  for (const [block, title, code] of text.matchAll(/^#{2,4} ([^\n]+)$|^```ts\n(.*?)^```$/gms)) {
    if (title !== undefined && !block.startsWith('```')) heading = title;
    else if (code !== undefined) found.push({ title: `${heading} (${found.length + 1})`, code, isSpec: /^\s*(it|describe)\(/m.test(code) });
  }
  return found;
}

/** A module in which a snippet runs: its imports at the top, the rest in one function; a spec as it is. */
export function asModule({ code, isSpec }: Snippet): string {
  if (isSpec) return code;
  const imports = [...code.matchAll(/^import [^;]*;[^\n]*$/gm)].map(([statement]) => statement);
  const rest = code.replaceAll(/^import [^;]*;[^\n]*$\n?/gm, '');
  return `${imports.join('\n')}\n\nexport async function run(): Promise<void> {\n${rest}}\n`;
}
