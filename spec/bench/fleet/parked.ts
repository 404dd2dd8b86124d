import { BehaviorSubject, map, Subscription } from 'rxjs';
import { createClient } from '../../../src/client/createClient.js';
import { acquire } from '../../../src/pace/acquire.js';
import { allOf } from '../../../src/pace/allOf.js';
import type { Limiter } from '../../../src/pace/Limiter.js';
import { makePermit } from '../../../src/pace/makePermit.js';
import { pacer } from '../../../src/pace/pacer.js';

const COUNT = 100_000;
const URL = 'https://api.test/files';

/** Prints what 100,000 requests cost that wait at a closed gate, alone in the limiter and as whole `get()`s, and how long it takes to let them go. */
export async function parked(): Promise<void> {
  if (!globalThis.gc) throw new Error('Memory can be measured with node --expose-gc only');
  console.log(`${COUNT} requests at a closed gate:`);
  await measure('acquire', (limiter, done) =>
    acquire(limiter, { url: URL, maxWait: 1_800_000 }).subscribe((permit) => {
      permit.settle({ status: 200 });
      permit.release();
      done();
    }),
  );
  await measure('http.get', (limiter, done) => {
    clients.set(limiter, clients.get(limiter) ?? createClient({ fetch: () => [new Response(null, { status: 204 })], pace: limiter }));
    return clients.get(limiter)?.get(URL).subscribe(done) ?? Subscription.EMPTY;
  });
}

const clients = new Map<Limiter, ReturnType<typeof createClient>>();

async function measure(name: string, ask: (limiter: Limiter, done: () => void) => Subscription): Promise<void> {
  const gate = new BehaviorSubject(false);
  const closed: Limiter = {
    changed$: gate.pipe(map(() => undefined)),
    check: () => (gate.value ? 0 : Infinity),
    take: () => makePermit({}),
  };
  const limiter = allOf(pacer(), closed);
  const timersBefore = timers();
  const before = heap();
  const began = cpu();
  const all: Subscription[] = [];
  let done = 0;
  let finished = (): void => undefined;
  const end = new Promise<void>((resolve) => (finished = resolve));
  for (let i = 0; i < COUNT; i++) {
    const one = ask(limiter, () => {
      if (++done === COUNT) finished();
    });
    all.push(one);
  }
  const entered = cpu() - began;
  const each = (heap() - before) / COUNT;
  const ofThem = timers() - timersBefore;
  const opened = cpu();
  gate.next(true);
  await end;
  const released = cpu() - opened;
  all.forEach((one) => one.unsubscribe());
  console.log(
    `  ${name.padEnd(9)} ${each.toFixed(0).padStart(6)} bytes each   ${ofThem} timer(s)   entered in ${entered.toFixed(0)} ms of CPU   ` +
      `released in ${released.toFixed(0)} ms of CPU`,
  );
}

/** CPU time of this process in ms, which a busy machine does not lengthen. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
