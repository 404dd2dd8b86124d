import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from 'rxjs';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mockExampleApi } from '../support/exampleApi.js';
import { needsRedis } from '../support/needs.js';
import { startRedis } from '../support/redis.js';
import { compilerProblems, type SnippetModule, writeModules } from '../support/snippetModules.js';

const root = new URL('../../', import.meta.url);
const generated = new URL('.generated/', import.meta.url).pathname;
const guides = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.md'));
const documents = ['README.md', ...guides.map((file) => `spec/guides/${file}`)].map((path) => ({
  path,
  modules: writeModules(new URL(path, root), join(generated, path)),
}));

afterAll(() => {
  rmSync(generated, { recursive: true, force: true });
});

const unhandled: unknown[] = [];
let restoreFetch = (): void => undefined;
let files = '';

beforeEach(() => {
  restoreFetch = mockExampleApi();
  // Each snippet starts without the files of others and of an earlier run.
  files = mkdtempSync(join(tmpdir(), 'coldfetch-spec-'));
  vi.stubEnv('TMPDIR', files);
  unhandled.length = 0;
  // A subscription without an error handler reports its error here.
  config.onUnhandledError = (error) => unhandled.push(error);
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
});

afterEach(() => {
  restoreFetch();
  config.onUnhandledError = null;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(files, { recursive: true, force: true });
});

/** Runs a snippet to its first output. */
async function run({ file }: SnippetModule): Promise<void> {
  const module = (await import(/* @vite-ignore */ file)) as { run(): Promise<void> };
  await module.run();
  await expect.poll(() => vi.mocked(console.log).mock.calls.length).toBeGreaterThan(0);
  expect(unhandled).toEqual([]);
}

const usesRedis = ({ code }: SnippetModule): boolean => code.includes('REDIS_URL');

it('the compiler takes all snippets', () => {
  expect(compilerProblems(documents.flatMap(({ modules }) => modules))).toEqual([]);
});

const withoutRedis = documents
  .map(({ path, modules }) => ({ path, modules: modules.filter((module) => !usesRedis(module)) }))
  .filter(({ modules }) => modules.length > 0);

describe.each(withoutRedis)('$path', ({ modules }) => {
  it.each(modules.filter(({ isSpec }) => !isSpec))('runs $title', run);

  for (const { title, file } of modules.filter(({ isSpec }) => isSpec)) {
    describe(title, async () => {
      await import(/* @vite-ignore */ file);
    });
  }
});

needsRedis('with Redis', () => {
  it.each(documents.flatMap(({ modules }) => modules).filter(usesRedis))('runs $title', async (module) => {
    const redis = await startRedis();
    vi.stubEnv('REDIS_URL', redis.url);
    try {
      await run(module);
      expect(console.log).toHaveBeenCalledWith({ id: 1, name: 'Ada' });
    } finally {
      await redis.stop();
    }
  });
});
