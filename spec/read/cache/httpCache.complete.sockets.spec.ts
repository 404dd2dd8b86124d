import { gzipSync } from 'node:zlib';
import { createClient, memoryCache, httpCache } from 'coldfetch';
import { firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { loopback } from '../../support/loopback.js';

const ROWS = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ index, text: `row ${index}` })));
const WHOLE = gzipSync(ROWS);

/** A server behind a proxy that has half of a compressed body, and sends it as if it were the whole; the second time it has all. */
async function cutOnce() {
  const { url, requests } = await loopback((_, response) => {
    const bytes = requests.length === 1 ? WHOLE.subarray(0, WHOLE.length / 2) : WHOLE;
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'cache-control': 'max-age=60' }).end(bytes);
  });
  const store = memoryCache();
  return { url, requests, store, http: createClient({ cache: httpCache({ store }), retry: false }) };
}

describe('cache', () => {
  describe('a compressed body that was cut before it was sent', () => {
    it('is not kept where it is read at once', async () => {
      const { url, requests, http } = await cutOnce();
      const half = await firstValueFrom(http.get(url, { observe: 'response', responseType: 'text' }));
      expect(half.cacheStatus).toBe('coldfetch; fwd=uri-miss; detail=incomplete-body');
      expect([half.body.length < ROWS.length, await firstValueFrom(http.get(url, { responseType: 'text' }))]).toEqual([true, ROWS]);
      await firstValueFrom(http.get(url));
      expect(requests).toHaveLength(2);
    });

    it('is not kept where it is read as a stream', async () => {
      const { url, store, http } = await cutOnce();
      const read = async (): Promise<string> => new Response(await firstValueFrom(http.get(url, { responseType: 'stream' }))).text();
      await read();
      expect(store.size).toBe(0);
      expect(await read()).toBe(ROWS);
      await expect.poll(() => store.size).toBe(1);
    });
  });
});
