/** Parks requests on one 429 and prints what each of them costs, and how long all of them take to be answered, as JSON. */
import { createClient } from 'coldfetch';
import { undici } from 'coldfetch/undici';
import { Agent } from 'undici';
import { heapUsed } from './heapUsed.js';
import { type Origins, PARKED } from './settings.js';

/** Cost of requests that wait. */
export interface ParkedCost {
  /** Bytes of heap for each. */
  readonly bytes: number;
  /** Milliseconds from the moment that the server named until the last answer. */
  readonly wake: number;
  /** Processor time from the first ask to the last answer, in ms. */
  readonly cpu: number;
  readonly completed: number;
}

const { plain } = JSON.parse(process.argv[2] ?? '{}') as Origins;

async function park(name: string, http: ReturnType<typeof createClient>): Promise<ParkedCost> {
  const url = `${plain}/parked?key=${name}&seconds=${PARKED.seconds}`;
  await fetch(`${plain}/json?bytes=800`);
  let completed = 0;
  const ask = (waits?: () => void): Promise<void> =>
    new Promise((resolve) => {
      http.get(url, { observe: 'events' }).subscribe({
        next: ({ type }) => {
          if (type === 'wait') waits?.();
          if (type === 'response') completed += 1;
        },
        error: (error: unknown) => {
          console.error(String(error));
          resolve();
        },
        complete: resolve,
      });
    });
  const began = performance.now();
  const answered: Promise<void>[] = [];
  await new Promise<void>((resolve) => answered.push(ask(resolve)));
  const before = heapUsed();
  const used = process.cpuUsage();
  for (let n = 0; n < PARKED.requests; n++) answered.push(ask());
  await new Promise((resolve) => setTimeout(resolve, (PARKED.seconds * 1000) / 2));
  const bytes = (heapUsed() - before) / PARKED.requests;
  await Promise.all(answered);
  const { user, system } = process.cpuUsage(used);
  return { bytes, wake: performance.now() - began - PARKED.seconds * 1000, cpu: (user + system) / 1000, completed };
}

const connections = 50;
const costs = {
  'http.get as it comes': await park('fetch', createClient()),
  [`http.get on coldfetch/undici, ${connections} connections`]: await park(
    'undici',
    createClient({ transport: undici({ dispatcher: new Agent({ connections }) }) }),
  ),
};
process.stdout.write(JSON.stringify(costs), () => process.exit());
