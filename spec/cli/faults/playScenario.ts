import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunningServer, StoredBuild } from 'coldfetch/server';
import { type Addresses, type Fault, faultyProxy } from '../../support/faultyProxy.js';
import { coldfetch } from '../support.js';
import { type Scenario, SILENT, type Step, STEPS, titleOf } from './scenarios.js';

/** A build API, and a storage that takes files by PUT, for any number of scenarios. */
export interface Backends {
  readonly api: RunningServer;
  /** URL of the storage. */
  readonly storage: string;
  /** Paths that the storage has a file of. */
  readonly stored: ReadonlySet<string>;
  /** Folder for the files that are sent. */
  readonly folder: string;
}

/** Course of a command under a fault. */
export interface Outcome {
  readonly code: number;
  /** Error output: addresses, names and numbers that differ from run to run are replaced. */
  readonly said: string;
  readonly builds: readonly StoredBuild[];
  /** Names of the files in complete builds, or at the storage. */
  readonly arrived: readonly string[];
  /** Descriptors of files that are still open. */
  readonly open: readonly string[];
}

const FILES = ['a.png', 'b.png'] as const;
const STORAGE_KEY = /(?<=\/storage\/)[\da-f]{64}/g;
/** Reports of a lost connection: which one it is depends on the moment, and on the version of Node. */
const LOST = /(read|write) E(CONNRESET|PIPE)|other side closed \(UND_ERR_SOCKET\)|terminated \(UND_ERR_SOCKET\)/g;
/** Token of the commands; it must not be shown. */
export const TOKEN = 's3cret';
/** Seconds for which a silent server is waited for: long enough for the other answers of a busy machine. */
const SHORT_TIMEOUT = 6;
/** Milliseconds that the guide shows in its place. */
const SHOWN_TIMEOUT = 2000;
/** Seconds in which every other request is answered, however many of them share a busy machine. */
const LONG_TIMEOUT = 600;

/** Runs the command of a scenario, whose files and build are its own. */
export async function playScenario({ api, storage, stored, folder }: Backends, scenario: Scenario): Promise<Outcome> {
  const { fault, isOnce } = scenario;
  const step: Step = STEPS[scenario.step];
  const title = titleOf(scenario);
  const id = createHash('sha1').update(title).digest('hex');
  const shots = join(folder, id);
  await mkdir(shots);
  for (const name of FILES) await writeFile(join(shots, name), `${name} ${title}`);

  let faults = 0;
  let isArmed = false;
  let faulty: string | undefined;
  const faultOf = (request: string): Fault | number | undefined => {
    if (!isArmed || !step.request.test(request) || (isOnce && faults > 0)) return undefined;
    // One file of several.
    faulty ??= request;
    if (request !== faulty) return undefined;
    faults++;
    return isAddress(fault) ? undefined : fault;
  };
  const [command, ...options] = step.command;
  const isLink = scenario.step === 'send';
  const proxy = await faultyProxy(command === 'put' ? storage : api.url, faultOf, isLink && isAddress(fault) ? fault : 'plain');
  const host = !isLink && isAddress(fault) ? proxy[fault] : proxy.plain;
  const argv = (first: string, rest: readonly string[], address: string): string[] => {
    if (first === 'put') return ['put', shots, `${address}/files/${id}/{name}`, ...rest, '--concurrency', '1', '--quiet'];
    const source = ['--token', TOKEN, '--commit', id, '--branch', 'main', '--api', `${address}/v2/`];
    return first === 'upload' ? ['upload', shots, ...rest, ...source, '--concurrency', '1', '--quiet'] : [first, ...rest, ...source];
  };
  const nonce = (args: readonly string[]): string[] => args.map((arg) => (arg === 'run-1' ? id : arg));

  if (step.before) {
    const [first, ...rest] = step.before;
    await coldfetch(argv(first, nonce(rest), proxy.plain));
  }
  isArmed = true;
  const timeout = SILENT.some((each) => each === fault) ? SHORT_TIMEOUT : LONG_TIMEOUT;
  const { code, stderr } = await coldfetch([...argv(command, nonce(options), host), '--timeout', `${timeout}s`]);
  const open = await openFiles(shots);
  await proxy.close();

  const builds = api.builds.filter(({ commit }) => commit === id);
  const arrived =
    command === 'put'
      ? FILES.filter((name) => stored.has(`/files/${id}/${name}`))
      : builds.flatMap(({ finalized, screenshots }) => (finalized ? screenshots.map(({ name }) => name) : []));
  const addresses = [proxy.plain, proxy.untrusted, proxy.withoutTls, proxy.closed];
  const said = [
    ...addresses.map((address) => [address, 'https://HOST'] as const),
    ...addresses.map((address) => [new URL(address).host, 'HOST:PORT'] as const),
    ...builds.map((build) => [`builds/${build.id}`, 'builds/ID'] as const),
    ...builds.map((build) => [`build ${build.id}`, 'build ID'] as const),
    [`no progress for ${SHORT_TIMEOUT * 1000} ms`, `no progress for ${SHOWN_TIMEOUT} ms`] as const,
    [`files/${id}`, 'files'] as const,
    [id, 'NONCE'] as const,
  ].reduce((text, [from, to]) => text.replaceAll(from, to), stderr.replace(STORAGE_KEY, 'KEY').replace(LOST, 'read ECONNRESET'));
  return { code, said, builds, arrived, open };
}

function isAddress(fault: Scenario['fault']): fault is Exclude<keyof Addresses, 'plain'> {
  return fault === 'untrusted' || fault === 'withoutTls' || fault === 'closed';
}

/** Files below a folder that this process has open, as far as the platform tells. */
async function openFiles(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const paths = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}
