import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the command as a file of JavaScript, for specs that need a process of its own. */
    readonly command: string;
  }
}

/**
 * Set-up of the project `sockets`: its specs find the command by `inject('command')`. A bundle of it starts in a quarter of the time that its
 * sources take, which each process would compile anew.
 */
export default async function bundleOnce(project: TestProject): Promise<() => Promise<void>> {
  // Beside the packages that it imports, and as far below the manifest as the sources are.
  const folder = await mkdtemp(join(root, 'node_modules/.coldfetch-'));
  // One of the specs runs it as a user without rights.
  await chmod(folder, 0o755);
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    outdir: folder,
    bundle: true,
    // Modules that the command loads only when they are needed stay apart.
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  project.provide('command', join(folder, 'main.js'));
  return () => rm(folder, { recursive: true, force: true });
}
