import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CachedProject, cachedProject } from '../cachedProject.js';
import type { Row, Section } from '../Section.js';

/** Imports of the consumer, all of them checked without `skipLibCheck`. */
const PACKAGES = [
  'rxjs@7.8.2',
  '@types/node@20.19.43',
  '@opentelemetry/api@1.9.1',
  'undici@7.30.2',
  '@angular/common@21.2.26',
  '@angular/core@21.2.26',
  '@nestjs/common@12.5.1',
  'reflect-metadata@0.2.2',
];

interface Setting {
  readonly title: string;
  readonly files: readonly string[];
  readonly type: 'module' | 'commonjs';
  readonly compilerOptions: object;
  /** First and last compiler that offer it. */
  readonly since?: number;
  readonly until?: number;
}

const ON_NODE = { lib: ['ES2022'], types: ['node'] };
const IN_PAGES = { lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], types: [] };

const SETTINGS: readonly Setting[] = [
  {
    title: 'nodenext',
    files: ['page.ts', 'server.ts'],
    type: 'module',
    compilerOptions: { ...ON_NODE, module: 'nodenext', moduleResolution: 'nodenext' },
  },
  {
    title: 'node16',
    files: ['page.ts', 'server.ts'],
    type: 'module',
    compilerOptions: { ...ON_NODE, module: 'node16', moduleResolution: 'node16' },
  },
  {
    title: 'nodenext, CommonJS',
    files: ['page.ts', 'server.ts'],
    type: 'commonjs',
    compilerOptions: { ...ON_NODE, module: 'nodenext', moduleResolution: 'nodenext' },
    since: 5.8,
  },
  {
    title: 'bundler, in pages',
    files: ['page.ts'],
    type: 'module',
    compilerOptions: { ...IN_PAGES, module: 'esnext', moduleResolution: 'bundler' },
  },
  {
    title: 'bundler, Angular and NestJS',
    files: ['frameworks.ts'],
    type: 'module',
    compilerOptions: { lib: IN_PAGES.lib, types: ['node'], module: 'esnext', moduleResolution: 'bundler' },
  },
  {
    title: 'commonjs, node10',
    files: ['page.ts', 'server.ts'],
    type: 'commonjs',
    compilerOptions: { ...ON_NODE, module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
    until: 6.9,
  },
];

const TYPESCRIPTS = ['5.4.5', '5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3', '7.0.2'];

/** A consumer by each compiler and module setting. */
export const typeScripts: Section = {
  name: 'typescript',
  columns: ['TypeScript', ...SETTINGS.map(({ title }) => title)],
  prepare: async ({ tarball }) => {
    const project = await consumerProject();
    await project.installTarball(tarball);
    for (const setting of SETTINGS) await project.write(await filesOf(setting));
  },
  rows: TYPESCRIPTS.map(rowOf),
};

function consumerProject(): Promise<CachedProject> {
  return cachedProject('consumer', PACKAGES);
}

function rowOf(version: string): Row {
  return {
    title: `TypeScript ${version}`,
    run: async () => {
      const compiler = await cachedProject(`TypeScript ${version}`, [`typescript@${version}`]);
      const project = await consumerProject();
      const tsc = join(compiler.path, 'node_modules/typescript/bin/tsc');
      const cells: string[] = [];
      const failures: string[] = [];
      for (const { title, since = 0, until = Infinity } of SETTINGS) {
        if (Number.parseFloat(version) < since || Number.parseFloat(version) > until) {
          cells.push('not offered');
          continue;
        }
        const deprecations = version.startsWith('6.') ? ['--ignoreDeprecations', '6.0'] : [];
        const { ok, output } = await project.run(process.execPath, [tsc, '-p', folderOf(title), '--pretty', 'false', ...deprecations]);
        const errors = errorsIn(output, ok);
        cells.push(errors.length === 0 ? 'yes' : 'no');
        failures.push(...errors.map((error) => `${title}: ${error}`));
      }
      return { cells, failures };
    },
  };
}

async function filesOf({ title, files, type, compilerOptions }: Setting): Promise<Record<string, string>> {
  const folder = folderOf(title);
  const texts = await Promise.all(files.map((file) => readFile(new URL(`../consumer/${file}`, import.meta.url), 'utf8')));
  const common = { target: 'ES2022', strict: true, skipLibCheck: false, noEmit: true };
  return {
    ...Object.fromEntries(files.map((file, index) => [`${folder}/${file}`, texts[index] ?? ''])),
    [`${folder}/package.json`]: JSON.stringify({ type }),
    [`${folder}/tsconfig.json`]: JSON.stringify({ compilerOptions: { ...common, ...compilerOptions }, files }),
  };
}

function folderOf(setting: string): string {
  return setting.replace(/\W+/g, '-');
}

/** Errors but those in the declarations of other packages, which are theirs. */
function errorsIn(output: string, ok: boolean): readonly string[] {
  const lines = output.split('\n').filter((line) => /error TS\d+/.test(line));
  if (!ok && lines.length === 0) return [output];
  return lines.filter((line) => !/^(\.\.\/)?node_modules\/(?!coldfetch\/)/.test(line));
}
