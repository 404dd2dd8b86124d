/**
 * Profiles the processor while one client sends small requests, 20 at once, and prints {@link Profile} as JSON. Arguments: {@link Origins} as
 * JSON, and the name of the client.
 */
import { Session } from 'node:inspector/promises';
import { clients } from './clients.js';
import { sendAll } from './sendAll.js';
import type { Origins } from './settings.js';
import { type CpuProfile, sharesOf } from './sharesOf.js';

/** Processor time of one request by one client. */
export interface Profile {
  /** Microseconds of each request. */
  readonly cpu: number;
  /** Share of each group of code, from 0 to 1. */
  readonly shares: Readonly<Record<string, number>>;
}

const WARM_UP = 5_000;
const REQUESTS = 20_000;

const { plain } = JSON.parse(process.argv[2] ?? '{}') as Origins;
const name = process.argv[3] ?? '';
const { [name]: send } = await clients();
if (!send) throw new Error(`no client ${name}`);
const url = `${plain}/json?bytes=800`;
await sendAll(send, url, undefined, WARM_UP, 20);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
await session.post('Profiler.start');
const used = process.cpuUsage();
await sendAll(send, url, undefined, REQUESTS, 20);
const { user, system } = process.cpuUsage(used);
const { profile } = await session.post('Profiler.stop');
const measured: Profile = { cpu: (user + system) / REQUESTS, shares: sharesOf(profile as CpuProfile) };
process.stdout.write(JSON.stringify(measured), () => process.exit());
