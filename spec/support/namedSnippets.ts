import { readFile } from 'node:fs/promises';

/** A piece of code in a text, and the file that it is part of. */
export interface NamedSnippet {
  readonly language: string;
  /** The file: what follows the language at the fence. */
  readonly name: string;
  readonly code: string;
}

/** The fenced pieces of code of a Markdown file. */
export async function namedSnippets(file: URL): Promise<NamedSnippet[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/^```(\w*) *(\S*)\n(.*?)^```$/gms)].map(([, language = '', name = '', code = '']) => ({ language, name, code }));
}
