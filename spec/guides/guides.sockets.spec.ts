import { readdirSync, rmSync } from 'node:fs';
import { config } from 'rxjs';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compilerProblems, writeModules } from '../readme/snippetModules.js';
import { enterWorld } from '../readme/world.js';

const generated = new URL('.generated/', import.meta.url).pathname;
afterAll(() => {
  rmSync(generated, { recursive: true, force: true });
});

const guides = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.md'));

describe.each(guides)('%s', (guide) => {
  const modules = writeModules(new URL(guide, import.meta.url), `${generated}${guide}`);
  const unhandled: unknown[] = [];
  let leave = (): void => undefined;

  beforeEach(() => {
    leave = enterWorld();
    unhandled.length = 0;
    // A subscription without an error handler reports what it fails with here.
    config.onUnhandledError = (error) => unhandled.push(error);
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  afterEach(() => {
    leave();
    config.onUnhandledError = null;
    vi.restoreAllMocks();
  });

  it('has snippets that the compiler takes', { timeout: 120_000 }, () => {
    expect(compilerProblems(modules)).toEqual([]);
  });

  it.each(modules)('runs $title', async ({ file }) => {
    const { run } = (await import(/* @vite-ignore */ file)) as { run(): Promise<void> };
    await run();
    await vi.waitFor(() => {
      expect(vi.mocked(console.log).mock.calls.length).toBeGreaterThan(0);
    });
    expect(unhandled).toEqual([]);
  });
});
