import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { Agent, fetch as undiciFetch, interceptors } from 'undici';
import { createClient, memoryCache, httpCache } from 'coldfetch';
import { fileCache } from 'coldfetch/node';
import { inTurn, median, microseconds } from './measure.js';

/**
 * Cost of a cache hit, against a bare `fetch` on loopback and against a hit of undici's cache interceptor (memory). The variants run in
 * turn, in one process; medians of the rounds and ratios of medians. Every variant reads the same 2 KB of JSON.
 */
export async function cacheHit(rounds = 30, requests = 200): Promise<void> {
  const body = JSON.stringify({ id: 1, padding: 'x'.repeat(2_000) });
  let served = 0;
  const server = createServer((_, response) => {
    served++;
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=3600' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/users/1`;
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-bench-'));
  const dispatcher = new Agent().compose(interceptors.cache());
  const inMemory = createClient({ cache: httpCache({ store: memoryCache() }) });
  const inFiles = createClient({ cache: httpCache({ store: fileCache(folder) }) });
  const bare = 'bare fetch on loopback';
  const theirs = 'undici, a hit of its cache';
  const variants: Record<string, () => Promise<unknown>> = {
    [bare]: () => fetch(url).then((response) => response.json()),
    [theirs]: () => undiciFetch(url, { dispatcher }).then((response) => response.json()),
    'http.get, a hit of memoryCache': () => lastValueFrom(inMemory.get(url)),
    'http.get, a hit of fileCache': () => lastValueFrom(inFiles.get(url)),
  };
  try {
    const times = await inTurn(variants, rounds, requests);
    const medianOf = (name: string): number => median(times[name] ?? []);
    console.log(`cost of a cache hit, 2 KB of JSON (median of ${rounds} rounds of ${requests}):`);
    for (const name of Object.keys(times)) {
      const own = medianOf(name);
      const ratios = `x ${(own / medianOf(bare)).toFixed(3)} of bare   x ${(own / medianOf(theirs)).toFixed(3)} of undici's`;
      console.log(`  ${name.padEnd(32)} ${microseconds(own)} us   ${ratios}`);
    }
    // One request of each cache; everything else is the bare fetch's. More, and the hits were none.
    const misses = served - (rounds + 1) * requests;
    console.log(`  requests of the three caches: ${misses} (3: all the rest were hits)`);
  } finally {
    await dispatcher.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
}
