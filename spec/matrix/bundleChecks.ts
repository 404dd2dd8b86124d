import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A program of the checks as one file of plain JavaScript, in which the packages are still imported. */
export async function bundleChecks(entry: 'runOnServer' | 'runStandIn' | 'runInPage' | 'standInPage'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`checks/${entry}.ts`, import.meta.url))],
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('\n');
}

/** The same for a page, with the packages of a project. */
export async function bundleForPage(entry: 'runInPage' | 'standInPage', project: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: await bundleChecks(entry), resolveDir: project },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('\n');
}
