import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from 'rxjs';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { needsRedis } from '../support/needs.js';
import { startRedis } from '../support/redis.js';
import { compilerProblems, writeModules } from './snippetModules.js';
import { enterWorld } from './world.js';

const folder = new URL('.generated/', import.meta.url).pathname;
const modules = writeModules(new URL('../../README.md', import.meta.url), folder);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the README', () => {
  it('has snippets', () => {
    expect(modules.length).toBeGreaterThan(10);
  });

  it('has snippets that the compiler takes', { timeout: 120_000 }, () => {
    expect(compilerProblems(modules)).toEqual([]);
  });

  describe('runs', () => {
    const unhandled: unknown[] = [];
    let leave = (): void => undefined;
    let files = '';

    beforeEach(() => {
      leave = enterWorld();
      // Each starts without what others, or an earlier run, have stored.
      files = mkdtempSync(join(tmpdir(), 'coldfetch-spec-'));
      vi.stubEnv('TMPDIR', files);
      unhandled.length = 0;
      // A subscription without an error handler reports what it fails with here.
      config.onUnhandledError = (error) => unhandled.push(error);
      for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
    });
    afterEach(() => {
      leave();
      config.onUnhandledError = null;
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
      rmSync(files, { recursive: true, force: true });
    });

    for (const { title, file } of modules.filter(({ isSpec, code }) => !isSpec && !code.includes('REDIS_URL'))) {
      it(title, async () => {
        const { run } = (await import(/* @vite-ignore */ file)) as { run(): Promise<void> };
        await run();
        await vi.waitFor(() => {
          expect(vi.mocked(console.log).mock.calls.length).toBeGreaterThan(0);
        });
        expect(unhandled).toEqual([]);
      });
    }
  });

  needsRedis('runs with Redis', () => {
    for (const { title, file } of modules.filter(({ code }) => code.includes('REDIS_URL'))) {
      it(title, async () => {
        const redis = await startRedis();
        const leave = enterWorld();
        const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
        vi.stubEnv('REDIS_URL', redis.url);
        try {
          const { run } = (await import(/* @vite-ignore */ file)) as { run(): Promise<void> };
          await run();
          expect(log).toHaveBeenCalledWith({ id: 1, name: 'Ada' });
        } finally {
          vi.unstubAllEnvs();
          vi.restoreAllMocks();
          leave();
          await redis.stop();
        }
      });
    }
  });

  for (const { title, file } of modules.filter(({ isSpec }) => isSpec)) {
    describe(title, async () => {
      await import(/* @vite-ignore */ file);
    });
  }
});
