import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { asModule, type Snippet, snippets } from './snippets.js';

/** A snippet, written to a file that can be imported. */
export interface SnippetModule extends Snippet {
  readonly file: string;
}

/** Writes the snippets of a Markdown file into `folder`, which is inside of the project, so that their imports resolve as those of specs do. */
export function writeModules(markdown: URL, folder: string): SnippetModule[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return snippets(markdown).map((snippet, index) => {
    const file = join(folder, `snippet-${index + 1}.ts`);
    writeFileSync(file, asModule(snippet));
    return { ...snippet, file };
  });
}

/** Errors that the compiler finds in snippets, with their titles. */
export function compilerProblems(modules: readonly SnippetModule[]): string[] {
  const root = new URL('../../', import.meta.url).pathname;
  const { config: settings } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, root);
  const program = ts.createProgram(
    modules.map(({ file }) => file),
    { ...options, lib: ['lib.es2023.d.ts'] },
  );
  return modules.flatMap(({ title, file }) => {
    const source = program.getSourceFile(file);
    return ts
      .getPreEmitDiagnostics(program, source)
      .map(({ messageText }) => `${file.slice(root.length)}, ${title}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}
