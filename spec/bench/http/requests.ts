/**
 * Sends requests by one client and the baseline in turn and prints the cost of each as a multiple of the baseline's in the same round, as JSON:
 * `{ [setting]: { [client]: Cost } }`. Argument: {@link Origins} and {@link Piece}, as JSON.
 */
import { median, ratios } from '../measure.js';
import { BASELINE, CONCURRENCIES, type Origins, SIZES } from './settings.js';
import { clients } from './clients.js';
import { sendAll } from './sendAll.js';

/** Cost of one request: multiples of the baseline's, one value a round. */
export interface Cost {
  readonly wall: number[];
  readonly cpu: number[];
  /** Wall time in microseconds, the median of the rounds. */
  readonly time: number;
}

/** The part of the grid that is measured. */
export interface Piece {
  readonly rounds: number;
  /** Beginning of the names of the settings; undefined for all of them. */
  readonly setting?: string | undefined;
  /** Name of the client. It has a process for itself, since code that several clients share is compiled for all of them, and slower for each. */
  readonly client: string;
  /** Share of the usual number of requests. */
  readonly scale: number;
}

const { plain, rounds, setting: wanted = '', client, scale } = JSON.parse(process.argv[2] ?? '{}') as Origins & Piece;

/** Rounds before the code is compiled as well as it will be: some 3,000 requests (measured). */
const WARM_UP = 3;

/** Requests of a client in one round: enough for some 100 ms. */
function countOf(concurrency: number, bytes: number): number {
  const small = { 1: 250, 20: 1000, 200: 1600 }[concurrency] ?? 1000;
  return Math.ceil((bytes < 10_000 ? small : small / 5) * scale);
}

const all = Object.entries(await clients()).filter(([name]) => name === BASELINE || name === client);

/** Microseconds for each request, wall and CPU, by both in turn; the first rounds warm up. */
async function measure(url: string, body: string | undefined, count: number, concurrency: number): Promise<Record<string, Measured>> {
  const measured: Record<string, Measured> = Object.fromEntries(all.map(([name]) => [name, { wall: [], cpu: [] }]));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [name, send] of all) {
      globalThis.gc?.();
      const [began, used] = [performance.now(), process.cpuUsage()];
      await sendAll(send, url, body, count, concurrency);
      const { user, system } = process.cpuUsage(used);
      if (round < 0) continue;
      measured[name]?.wall.push(((performance.now() - began) * 1000) / count);
      measured[name]?.cpu.push((user + system) / count);
    }
  }
  return measured;
}

type Measured = Record<'wall' | 'cpu', number[]>;

function relative(measured: Record<string, Measured>): Record<string, Cost> {
  const { [BASELINE]: base = { wall: [], cpu: [] } } = measured;
  const costs = Object.entries(measured).map(([name, { wall, cpu }]): [string, Cost] => [
    name,
    { wall: ratios(wall, base.wall), cpu: ratios(cpu, base.cpu), time: median(wall) },
  ]);
  return Object.fromEntries(costs);
}

const grid: Record<string, Record<string, Cost>> = {};
for (const [size, bytes] of Object.entries(SIZES)) {
  for (const method of ['GET', 'POST']) {
    const body = method === 'POST' ? JSON.stringify('x'.repeat(bytes - 2)) : undefined;
    const url = `${plain}/json?bytes=${method === 'POST' ? SIZES['0.8 kB'] : bytes}`;
    for (const concurrency of CONCURRENCIES) {
      const name = `${method} ${size} ${concurrency}`;
      if (!`${name} `.startsWith(wanted && `${wanted} `)) continue;
      grid[name] = relative(await measure(url, body, countOf(concurrency, bytes), concurrency));
    }
  }
}
process.stdout.write(JSON.stringify(grid), () => process.exit());
