/**
 * Lets Node run a TypeScript file of this repository: `node --import ./spec/support/typescript.mjs file.ts`. It is for scripts (fixtures,
 * benchmarks), which need no test runner around them; `coldfetch` there is the build in `dist`, as users get it.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'esbuild';

// Node evaluates this file twice: here, and as the hooks in a thread of their own.
if (isMainThread) register(import.meta.url);

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const inSource = context.parentURL?.endsWith('.ts') === true && /^\.{1,2}\/.*\.js$/.test(specifier);
  return nextResolve(inSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'es2022',
    supported: { 'import-attributes': true },
    sourcefile: fileURLToPath(url),
    sourcemap: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
