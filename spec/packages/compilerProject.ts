import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type ANGULARS, copyExample, installColdfetch } from '../examples/angular/angularProject.js';
import type { Finished } from '../support/packedProject.js';
import { type RegistryProject, registryProject } from '../support/registryProject.js';

const checkout = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Packages of the example that its command line needs, and its compiler does not. */
const OF_COMMAND_LINE = ['@angular/build', '@angular/cli', 'jsdom', 'node', 'vitest'];

const TSCONFIG = {
  extends: './tsconfig.json',
  compilerOptions: { noEmit: false, outDir: 'out', rootDir: '.', paths: {} },
};

const VITEST_CONFIG = `
export default { test: { globals: true, include: ['out/src/**/*.test.js'], setupFiles: ['./angular.setup.js', './out/src/marbles.setup.js'] } };
`;

/** Set-up of Angular's TestBed, as its command line has it; the specs use nothing of the document that it asks for. */
const ANGULAR_SETUP = `
import '@angular/compiler';
import { TestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';

globalThis.document = {};
TestBed.initTestEnvironment(BrowserTestingModule, platformBrowserTesting());
`;

/**
 * The example in a temporary folder, with the compiler of a version of Angular but not its command line: the packages of its lock from the npm registry,
 * coldfetch from its tarball, vitest and the types of its globals from this checkout.
 */
export async function compilerProject(version: (typeof ANGULARS)[number], tarball: string): Promise<RegistryProject> {
  const project = await registryProject();
  await copyExample(version, project.path);
  const path = join(project.path, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { readonly devDependencies: Readonly<Record<string, string>> };
  const devDependencies = Object.fromEntries(Object.entries(manifest.devDependencies).filter(([name]) => !OF_COMMAND_LINE.includes(name)));
  await project.write({
    'package.json': JSON.stringify({ ...manifest, devDependencies }),
    'tsconfig.compiled.json': JSON.stringify(TSCONFIG),
    'vitest.config.js': VITEST_CONFIG,
    'angular.setup.js': ANGULAR_SETUP,
  });
  const { ok, output } = await project.install();
  if (!ok) throw new Error(`npm install failed:\n${output}`);
  await installColdfetch(project, tarball);
  await symlink(join(checkout, 'vitest'), join(project.path, 'node_modules/vitest'));
  return project;
}

/** Compiles the application and its specs ahead of time, and bundles the application into the folder `dist`; the output is the compiler's. */
export async function compile(project: RegistryProject): Promise<Finished> {
  const compiled = await project.run(process.execPath, ['node_modules/.bin/ngc', '-p', 'tsconfig.compiled.json']);
  if (compiled.ok) await bundle(project.path);
  return compiled;
}

/** Runs the compiled specs. */
export function testCompiled(project: RegistryProject): Promise<Finished> {
  return project.run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run']);
}

async function bundle(path: string): Promise<void> {
  await build({
    absWorkingDir: path,
    stdin: {
      // Angular's own packages are compiled in part; the compiler does the rest in the page.
      contents: "import '@angular/compiler';\nimport './out/src/main.js';",
      resolveDir: path,
    },
    outfile: 'dist/main.js',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
  const html = await readFile(join(path, 'src/index.html'), 'utf8');
  const styles = await readFile(join(path, 'src/styles.css'), 'utf8');
  const page = html.replace('</head>', () => `<style>${styles}</style></head>`);
  await writeFile(
    join(path, 'dist/index.html'),
    page.replace('</body>', () => '<script type="module" src="main.js"></script></body>'),
  );
}
