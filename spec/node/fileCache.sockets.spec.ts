import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileCache } from '../../src/node/fileCache.js';
import { httpCache } from '../../src/read/cache/httpCache.js';
import type { StoredResponse } from '../../src/read/cache/CacheStore.js';
import { isUsageError } from '../../src/request/errors/UsageError.js';
import { get, origin } from '../read/support/origin.js';
import { failureOf } from '../support/failureOf.js';

const answer = (text: string, body: Uint8Array | null = new TextEncoder().encode(text)): StoredResponse => ({
  kind: 'answer',
  status: 200,
  url: `https://api.example/${text}`,
  headers: [
    ['cache-control', 'max-age=60'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ],
  sentAt: 1,
  receivedAt: 2,
  body,
});

describe('fileCache', () => {
  let folder: string;
  const entries = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.cache'));
  const pathOf = (name: string | undefined): string => join(folder, name ?? '');

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'coldfetch-cache-')), 'http');
  });
  afterEach(() => {
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  it.each([
    ['an answer', answer('a')],
    [
      'an answer of any bytes',
      answer(
        'b',
        Uint8Array.from({ length: 1000 }, (_, i) => i % 256),
      ),
    ],
    ['an answer with an empty body', answer('c', new Uint8Array())],
    ['an answer without a body', answer('d', null)],
    ['a note of variants', { kind: 'vary', fields: ['accept'], voidBefore: 7 } as const],
  ])('gives back %s, in another process too', async (_, entry) => {
    expect(await fileCache(folder).set('GET https://api.example/', entry)).toBe(true);
    expect(await fileCache(folder).get('GET https://api.example/')).toEqual(entry);
  });

  it('has nothing where nothing was set, was deleted, or where there is no folder', async () => {
    const store = fileCache(folder);
    expect(await store.get('a')).toBeUndefined();
    await store.delete('a');
    await store.set('a', answer('a'));
    await store.delete('a');
    expect(await store.get('a')).toBeUndefined();
  });

  it('writes no key into a name, and lets only the user read', async () => {
    await fileCache(folder).set('GET https://api.example/?key=secret', answer('a'));
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[\da-f]{64}\.cache$/)]);
    expect(statSync(pathOf(entries()[0])).mode & 0o077).toBe(0);
  });

  describe('takes for a miss', () => {
    it('a file that is torn, wherever', async () => {
      const store = fileCache(folder);
      await store.set('a', answer('some text'));
      const path = pathOf(entries()[0]);
      const whole = readFileSync(path);
      for (let length = 0; length < whole.length; length++) {
        writeFileSync(path, whole.subarray(0, length));
        expect(await store.get('a')).toBeUndefined();
      }
      writeFileSync(path, whole);
      expect(await store.get('a')).toEqual(answer('some text'));
    });

    it('a file with one bit changed, wherever', async () => {
      const store = fileCache(folder);
      await store.set('a', answer('some text'));
      const path = pathOf(entries()[0]);
      const whole = readFileSync(path);
      for (let at = 0; at < whole.length; at += 7) {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ 1;
        writeFileSync(path, damaged);
        expect(await store.get('a')).toBeUndefined();
      }
    });

    it('a file of something else, which the next answer replaces', async () => {
      const store = fileCache(folder);
      await store.set('a', answer('a'));
      writeFileSync(pathOf(entries()[0]), 'not\na cache');
      expect(await store.get('a')).toBeUndefined();
      await store.set('a', answer('b'));
      expect(await store.get('a')).toEqual(answer('b'));
    });
  });

  it('survives a corrupt entry as the cache of a client: one more request', async () => {
    const api = origin({ headers: { 'cache-control': 'max-age=60' } });
    const read = () => lastValueFrom(httpCache({ store: fileCache(folder) })(get('https://api.example/rows'), api.handler));
    await read();
    expect(await read()).toMatchObject({ cacheStatus: expect.stringContaining('hit') });
    truncateSync(pathOf(entries()[0]), 100);
    expect(await read()).toMatchObject({ cacheStatus: 'coldfetch; fwd=uri-miss; stored' });
    expect(await read()).toMatchObject({ cacheStatus: expect.stringContaining('hit') });
    expect(api.requests).toHaveLength(2);
  });

  it('keeps to maxBytes: what was not used for longest goes first', async () => {
    const store = fileCache(folder, { maxBytes: 10_000 });
    const kilobyte = (text: string): StoredResponse => answer(text, new Uint8Array(1_000));
    await store.set('first', kilobyte('first'));
    utimesSync(pathOf(entries()[0]), 1, 1);
    await store.set('second', kilobyte('second'));
    for (const name of entries()) utimesSync(pathOf(name), 1, 1);
    // To be read is to be used.
    await store.get('second');
    for (let i = 0; i < 20; i++) await store.set(`later ${i}`, kilobyte('later'));
    const bytes = entries().reduce((sum, name) => sum + statSync(pathOf(name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(10_000);
    expect(bytes).toBeGreaterThan(5_000);
    expect(await store.get('first')).toBeUndefined();
    expect(await store.get('later 19')).toEqual(kilobyte('later'));
  });

  it('does not keep what is larger than all, and forgets what it replaces', async () => {
    const store = fileCache(folder, { maxBytes: 2_000 });
    await store.set('a', answer('a'));
    expect(await store.set('a', answer('a', new Uint8Array(3_000)))).toBe(false);
    expect(await store.get('a')).toBeUndefined();
  });

  it('clears away what a dead process left unfinished', async () => {
    const store = fileCache(folder, { maxBytes: 2_000 });
    await store.set('a', answer('a'));
    const [young, old] = ['1', '2'].map((n) => pathOf(`${'a'.repeat(64)}.cache.0000000${n}-0000-4000-8000-000000000000.tmp`));
    for (const path of [young, old]) writeFileSync(path ?? '', 'half');
    utimesSync(old ?? '', 1, 1);
    await fileCache(folder, { maxBytes: 2_000 }).set('b', answer('b'));
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([young?.slice(folder.length + 1)]);
  });

  it('leaves alone what is not its own, however old', async () => {
    const foreign = ['notes.txt', 'report.pdf.00000001-0000-4000-8000-000000000000.tmp', `${'b'.repeat(64)}.cache.bak`];
    await fileCache(folder).set('a', answer('a'));
    for (const name of foreign) {
      writeFileSync(pathOf(name), 'x'.repeat(5_000));
      utimesSync(pathOf(name), 1, 1);
    }
    await fileCache(folder, { maxBytes: 2_000 }).set('b', answer('b'));
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(foreign));
  });

  it('costs requests, never an answer, where its folder cannot be used, and the answer tells', async () => {
    writeFileSync(join(folder, '..', 'file'), '');
    const interceptor = httpCache({ store: fileCache(join(folder, '..', 'file', 'http')) });
    const response = await lastValueFrom(
      interceptor(get('https://api.example/rows'), origin({ headers: { 'cache-control': 'max-age=60' } }).handler),
    );
    expect(response).toMatchObject({ body: 'body', cacheStatus: 'coldfetch; fwd=uri-miss; detail=store-failed' });
  });

  it('keeps to the folder that a relative path meant when it was made', async () => {
    const home = process.cwd();
    process.chdir(join(folder, '..'));
    const store = fileCache('http');
    process.chdir(home);
    await store.set('a', answer('a'));
    expect(entries()).toHaveLength(1);
  });

  it('holds 10,000 entries, asked for all at once', async () => {
    const store = fileCache(folder);
    const keys = Array.from({ length: 10_000 }, (_, i) => `GET https://api.example/rows/${i}`);
    await Promise.all(keys.map((key, i) => store.set(key, answer(String(i)))));
    expect(entries()).toHaveLength(10_000);
    const found = await Promise.all(keys.map((key) => store.get(key)));
    expect(found.filter((entry, i) => entry?.kind === 'answer' && entry.url === `https://api.example/${i}`)).toHaveLength(10_000);
  });

  it('loses nothing when two processes write and read one folder at once', async () => {
    const script = join(folder, '..', 'writer.mjs');
    await build({
      stdin: {
        contents: `
          import { fileCache } from './src/node/fileCache.js';
          const [, , folder, who] = process.argv;
          const store = fileCache(folder);
          const answer = (url, body) => ({ kind: 'answer', status: 200, url, headers: [], sentAt: 1, receivedAt: 2, body });
          let torn = 0;
          await Promise.all(Array.from({ length: 300 }, async (_, i) => {
            await store.set(who + i, answer(who + i, new Uint8Array(2000).fill(i)));
            // Both write these, over and over.
            await store.set('both' + (i % 5), answer(who, new Uint8Array(50_000).fill(who.charCodeAt(0))));
            const both = await store.get('both' + (i % 5));
            if (!both || both.body.some((byte) => byte !== both.url.charCodeAt(0))) torn++;
          }));
          console.log(JSON.stringify({ torn }));
        `,
        resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
      logLevel: 'error',
    });
    const run = promisify(execFile);
    const outputs = await Promise.all(['x', 'y'].map((who) => run(process.execPath, [script, folder, who])));
    expect(outputs.map(({ stdout }) => stdout.trim())).toEqual(['{"torn":0}', '{"torn":0}']);
    const store = fileCache(folder);
    for (const who of ['x', 'y']) {
      for (let i = 0; i < 300; i++) expect(await store.get(`${who}${i}`)).toMatchObject({ url: `${who}${i}` });
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('serves what an earlier run has kept', async () => {
    const api = origin({ headers: { 'cache-control': 'max-age=60', vary: 'accept' }, body: 'kept' });
    const read = () =>
      firstValueFrom(
        httpCache({ store: fileCache(folder) })(get('https://api.example/rows', { headers: { accept: 'text/csv' } }), api.handler),
      );
    await lastValueFrom(
      httpCache({ store: fileCache(folder) })(get('https://api.example/rows', { headers: { accept: 'text/csv' } }), api.handler),
    );
    expect(await read()).toMatchObject({ type: 'response', body: 'kept' });
    expect(api.requests).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ['maxBytes: 0', () => fileCache('http', { maxBytes: 0 })],
    ['maxBytes: NaN', () => fileCache('http', { maxBytes: NaN })],
    ['an option that nobody reads', () => fileCache('http', { max: 9 } as never)],
    ['an empty path', () => fileCache('')],
    ['no path', () => fileCache(undefined as never)],
  ])('refuses %s', (_, make) => {
    expect(isUsageError(failureOf(make))).toBe(true);
  });
});
