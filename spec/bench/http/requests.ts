/** Sends requests by every client in turn and prints what each of them cost, as JSON: `{ [setting]: { [client]: Cost } }`. */
import { CONCURRENCIES, type Origins, SIZES } from './settings.js';
import { clients, type Send } from './clients.js';

/** Microseconds for each request, one value a round. */
export interface Cost {
  readonly wall: number[];
  readonly cpu: number[];
}

const { plain } = JSON.parse(process.argv[2] ?? '{}') as Origins;
const rounds = Number(process.argv[3] ?? 12);
/** Beginning of the names of the settings that are wanted. */
const wanted = process.argv[4] ?? '';
/** Share of the usual number of requests. */
const scale = Number(process.argv[5] ?? 1);

/** Requests of a client in one round: enough for some 100 ms. */
function countOf(concurrency: number, bytes: number): number {
  const small = { 1: 250, 20: 1000, 200: 1600 }[concurrency] ?? 1000;
  return Math.ceil((bytes < 10_000 ? small : small / 5) * scale);
}

async function sendAll(send: Send, url: string, body: string | undefined, count: number, concurrency: number): Promise<void> {
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) await send(url, body);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}

const all = Object.entries(await clients());
const costs: Record<string, Record<string, Cost>> = {};
for (const [size, bytes] of Object.entries(SIZES)) {
  for (const method of ['GET', 'POST']) {
    const body = method === 'POST' ? JSON.stringify('x'.repeat(bytes - 2)) : undefined;
    const url = `${plain}/json?bytes=${method === 'POST' ? SIZES['0.8 kB'] : bytes}`;
    for (const concurrency of CONCURRENCIES) {
      const setting = `${method} ${size} ${concurrency}`;
      if (!setting.startsWith(wanted)) continue;
      const of: Record<string, Cost> = Object.fromEntries(all.map(([name]) => [name, { wall: [], cpu: [] }]));
      costs[setting] = of;
      const count = countOf(concurrency, bytes);
      // The first round warms up.
      for (let round = -1; round < rounds; round++) {
        for (const [name, send] of all) {
          globalThis.gc?.();
          const [began, used] = [performance.now(), process.cpuUsage()];
          await sendAll(send, url, body, count, concurrency);
          const { user, system } = process.cpuUsage(used);
          if (round < 0) continue;
          of[name]?.wall.push(((performance.now() - began) * 1000) / count);
          of[name]?.cpu.push((user + system) / count);
        }
      }
    }
  }
}
process.stdout.write(JSON.stringify(costs), () => process.exit());
