import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Facts about a TypeScript file of the repository. */
export interface Source {
  readonly imports: readonly Import[];
  /** Names of the functions that it calls by a bare name. */
  readonly calls: ReadonlySet<string>;
}

/** An import, an export from elsewhere, an `import()` or an `import('x').T`. */
export interface Import {
  /** File, by its path from the root of the repository, or the name of a package. */
  readonly target: string;
  /** True if the compiler drops it. */
  readonly isType: boolean;
}

/** TypeScript files of a folder and of the folders in it, by their paths from the root of the repository; those of installed packages are left out. */
export function filesIn(folder: string): string[] {
  const found = readdirSync(root + folder, { recursive: true, encoding: 'utf8' });
  return found.filter((file) => file.endsWith('.ts') && !file.includes('node_modules')).map((file) => posix.join(folder, file));
}

const known = new Map<string, Source>();

/** Reads a TypeScript file, once. */
export function readSource(file: string): Source {
  const before = known.get(file);
  if (before) return before;
  const imports: Import[] = [];
  const calls = new Set<string>();
  const add = (name: ts.Node | undefined, isType: boolean): void => {
    if (name && ts.isStringLiteral(name)) imports.push({ target: resolve(file, name.text), isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypes(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    else if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
      else if (ts.isIdentifier(node.expression)) calls.add(node.expression.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest));
  const source = { imports, calls };
  known.set(file, source);
  return source;
}

/** True if a clause names types only: `import type { A }` and `import { type A }`. */
function importsTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  return !name && !!namedBindings && ts.isNamedImports(namedBindings) && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function resolve(from: string, name: string): string {
  if (!name.startsWith('.')) return name;
  const path = posix.join(posix.dirname(from), name);
  return [path.replace(/\.js$/, '.ts'), path].find((file) => existsSync(root + file)) ?? path;
}
