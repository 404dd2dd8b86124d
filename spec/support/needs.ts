import { existsSync } from 'node:fs';
import { describe } from 'vitest';
import { CHROMIUM } from './chromium.js';
import { REDIS_SERVER } from './redis.js';

/**
 * `describe` for specs that talk to a real Redis. Where there is none they are skipped and the reason is printed; with `CI=true` they run
 * all the same, and fail.
 */
export const needsRedis = needs('a redis-server', REDIS_SERVER);

/** `describe` for specs that drive a real browser; skipped as those of {@link needsRedis} are. */
export const needsChromium = needs('a Chromium', CHROMIUM);

/** `describe` for specs that write to a device that is always full; skipped as those of {@link needsRedis} are. */
export const needsFullDevice = needs('a /dev/full', ['/dev/full'].find(existsSync));

function needs(what: string, path: string | undefined): (title: string, specs: () => void) => void {
  const skipped = path === undefined && process.env.CI !== 'true';
  return (title, specs) => {
    if (skipped) console.warn(`Skipped: "${title}" needs ${what}, and this machine has none.`);
    describe.skipIf(skipped)(title, specs);
  };
}
