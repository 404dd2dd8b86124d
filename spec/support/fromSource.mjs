/**
 * Lets a script of this repository run without a build: `node --import ./spec/support/typescript.mjs --import ./spec/support/fromSource.mjs
 * file.ts` takes `coldfetch` from `src`.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import manifest from '../../package.json' with { type: 'json' };

// Node evaluates this file twice: here, and as the hooks in a thread of their own.
if (isMainThread) register(import.meta.url);

/** @type {Readonly<Record<string, unknown>>} */
const doors = manifest.exports;

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const door = /^coldfetch(?=\/|$)/.test(specifier) ? doors[specifier.replace('coldfetch', '.')] : undefined;
  if (typeof door !== 'object' || door === null || !('default' in door)) return nextResolve(specifier, context);
  const source = String(door.default).replace('./dist/', '../../src/').replace(/\.js$/, '.ts');
  return { url: new URL(source, import.meta.url).href, shortCircuit: true };
}
