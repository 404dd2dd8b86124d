import { join } from 'node:path';
import { bundleChecks } from '../bundleChecks.js';
import { type CachedProject, cachedProject } from '../cachedProject.js';
import type { CheckResult } from '../checks/Check.js';
import { inChromium } from '../inChromium.js';
import type { Row, RowResult, Section } from '../Section.js';
import { startCheckServer } from '../startCheckServer.js';

/** Packages that the checks import, beside coldfetch. */
const PACKAGES = [
  'rxjs@7.8.2',
  'express@5.3.0',
  'express-rate-limit@8.7.5',
  'multer@2.5.0',
  'redis@6.3.1',
  'undici@7.30.2',
  '@nestjs/common@12.5.1',
  '@nestjs/core@12.5.1',
  'reflect-metadata@0.2.2',
  '@opentelemetry/api@1.9.1',
];

/** A runtime as an npm package, and how a script is run with it. */
interface Runtime {
  readonly title: string;
  readonly package: string;
  readonly program: string;
  readonly args?: readonly string[];
  /** Checks that cannot hold there. */
  readonly losses?: readonly string[];
}

const node = (version: string): Runtime => {
  const name = `node-${process.platform}-${process.arch}`;
  return { title: `Node ${version}`, package: `${name}@${version}`, program: `node_modules/${name}/bin/node` };
};

const RUNTIMES: readonly Runtime[] = [
  ...['20.19.0', '20.20.2', '22.23.5', '24.22.3', '26.12.1'].map(node),
  {
    title: 'Bun 1.4.5',
    package: 'bun@1.4.5',
    program: 'node_modules/.bin/bun',
    losses: ["undici's dispatcher sends, retries and is aborted"],
  },
  {
    title: 'Deno 2.9.6',
    package: 'deno@2.9.6',
    program: 'node_modules/.bin/deno',
    args: ['run', '--allow-all', '--quiet'],
    // Deno's fetch sends streams without their length, so that bodies of a known length go out whole.
    losses: [
      'bytes in memory, a Blob and text tell their progress in pieces',
      'bytes in memory tell their progress by 64 KiB',
      'a file is sent with its length and type, and tells its progress',
    ],
  },
];

/** The checks in every runtime, each from the tarball. */
export const runtimes: Section = {
  name: 'runtimes',
  columns: ['runtime', 'checks', 'hold', 'do not hold'],
  prepare: async ({ tarball }) => {
    const project = await checksProject();
    await project.installTarball(tarball);
    await project.write({ 'checks.js': await bundleChecks('runOnServer'), 'standIn.js': await bundleChecks('runStandIn') });
  },
  rows: [
    ...RUNTIMES.map((runtime): Row => ({ title: runtime.title, run: () => onServer(runtime) })),
    { title: 'Chromium, page', run: async () => summary(await inChromium('page', (await checksProject()).path)) },
    { title: 'Chromium, worker', run: async () => summary(await inChromium('worker', (await checksProject()).path)) },
  ],
};

function checksProject(): Promise<CachedProject> {
  return cachedProject('checks', PACKAGES);
}

async function onServer(runtime: Runtime): Promise<RowResult> {
  const { path } = await cachedProject(runtime.title, [runtime.package]);
  const project = await checksProject();
  const run = (...args: readonly string[]) => project.run(join(path, runtime.program), [...(runtime.args ?? []), ...args]);
  const server = await startCheckServer();
  try {
    const results = [];
    for (const file of ['checks.js', 'standIn.js']) {
      const { ok, output } = await run(file, server.url);
      results.push(...resultsIn(output), ended(file, ok, output));
    }
    const { output } = await run('node_modules/coldfetch/dist/cli/main.js', '--version');
    results.push({ name: 'the command runs', ...(/^\d+\.\d+\.\d+\n$/.test(output) ? {} : { failure: output }) });
    return summary(results, runtime.losses);
  } finally {
    await server.close();
  }
}

function resultsIn(output: string): readonly CheckResult[] {
  const line = output.split('\n').find((text) => text.startsWith('[{"name"'));
  return line === undefined ? [] : (JSON.parse(line) as readonly CheckResult[]);
}

function ended(file: string, ok: boolean, output: string): CheckResult {
  const name = `${file === 'checks.js' ? 'the process' : 'the process with the stand-in'} ends by itself, and well`;
  return ok && resultsIn(output).length > 0 ? { name } : { name, failure: output };
}

function summary(results: readonly CheckResult[], losses: readonly string[] = []): RowResult {
  const failed = results.filter(({ failure }) => failure !== undefined);
  const found = failed.filter(({ name }) => !losses.includes(name));
  const regained = losses.filter((name) => failed.every((result) => result.name !== name));
  return {
    cells: [String(results.length), String(results.length - failed.length), failed.map(({ name }) => name).join('; ')],
    failures: [...found.map(({ name, failure }) => `${name}: ${failure}`), ...regained.map((name) => `${name}: holds by now`)],
  };
}
