import { describe, expect, inject, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { BESIDE, OLDEST } from './beside.js';
import { userProjects } from './userProjects.js';

const { project, installed } = userProjects();

/** Oldest packages of each kind. The newest are those of this checkout, and all of them one by one are tried by `npm run matrix`. */
const OLDEST_BESIDE = ['Angular 16', 'NestJS 10', 'express-rate-limit 6', 'multer 1', 'redis 3', 'ioredis 4', 'undici 5'] as const;

describe('npm install coldfetch', () => {
  // Other versions cannot matter, as it demands none.
  it('finds a tree beside the oldest packages of each kind', async () => {
    const made = await project([...new Set(OLDEST_BESIDE.flatMap((name) => BESIDE[name]))]);
    expect(await made.install('--package-lock-only', inject('tarball'))).toMatchObject({ ok: true });
  });

  it('demands no version of a package that only a subpath needs', () => {
    const { rxjs, ...optional } = manifest.peerDependencies;
    expect(rxjs).toBe('^7.8.0');
    expect(new Set(Object.values(optional))).toEqual(new Set(['*']));
    expect(Object.keys(manifest.peerDependenciesMeta).sort()).toEqual(Object.keys(optional).sort());
  });
});

/** The subpaths at work with the packages that are installed. */
const AT_WORK = `
import { firstValueFrom } from 'rxjs';
import { createClient, policies } from 'coldfetch';
import { startServer } from 'coldfetch/server';
import { connectRedis, sharedLimiter } from 'coldfetch/redis';
import { tracing } from 'coldfetch/opentelemetry';

const server = await startServer({ limit: { requests: 1, windowMs: 1000, routes: 'all' } });
const { client, close } = await connectRedis('redis://127.0.0.1:1');
const pace = sharedLimiter({ client });
const http = createClient({ baseUrl: server.url, retry: policies.patient, pace, ...tracing() });
const { items } = await firstValueFrom(http.get('/mock/items', { params: { total: 3 } }));
await firstValueFrom(http.get('/mock/daily/2025-02-28'));
console.log(items.length);
pace.close();
await close();
await server.close();
`;

describe('the subpaths', () => {
  it('work with the oldest packages that they take', async () => {
    const made = await installed(OLDEST);
    await made.write({ 'work.js': AT_WORK });
    expect(await made.run(process.execPath, ['work.js'])).toEqual({ ok: true, output: '3\n' });
  });

  it('say what they need where a package is too old', async () => {
    const made = await installed([
      'rxjs@7.8.2',
      'express@4.16.4',
      'express-rate-limit@6.11.2',
      'multer@1.4.4',
      'redis@3.1.2',
      'undici@5.29.0',
    ]);
    const run = async (code: string): Promise<string> => (await made.run(process.execPath, ['--input-type=module', '--eval', code])).output;
    expect(await run("import { startServer } from 'coldfetch/server'; await startServer();")).toContain(
      'UsageError: coldfetch/server needs express 4.17 or later, and 4.16.4 is installed: npm install express@latest',
    );
    expect(await run("import { connectRedis } from 'coldfetch/redis'; await connectRedis('redis://127.0.0.1:1');")).toContain(
      'UsageError: coldfetch/redis needs redis 4 or later: npm install redis@latest',
    );
    expect(await run("import { undici } from 'coldfetch/undici'; undici();")).toMatch(
      /UsageError: coldfetch\/undici needs undici 6 or later, and undici 5\.29\.0 \(.+undici\) is installed: npm install undici@7/,
    );
  });
});
