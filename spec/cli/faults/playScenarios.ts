import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { from, lastValueFrom, mergeMap, toArray } from 'rxjs';
import { startServer } from 'coldfetch/server';
import { type Outcome, playScenario } from './playScenario.js';
import { type Scenario, SILENT } from './scenarios.js';

/** A scenario and its course. */
export interface Played {
  readonly scenario: Scenario;
  readonly outcome: Outcome;
}

/** Scenarios that are played at once; they wait for most of their time. More would keep each other from their turns. */
const AT_ONCE = 50;

/** Plays scenarios side by side; those that wait begin, and those with a short timeout come when there is little else to do. */
export async function playScenarios(scenarios: readonly Scenario[]): Promise<readonly Played[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-faults-'));
  const api = await startServer();
  const stored = new Set<string>();
  const storage = createServer((request, response) => {
    request.resume().on('end', () => {
      stored.add(request.url ?? '');
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((listening) => storage.listen(0, '127.0.0.1', listening));
  const backends = { api, stored, folder, storage: `http://127.0.0.1:${(storage.address() as AddressInfo).port}` };
  try {
    const byWaits = [...scenarios].sort((a, b) => waits(b) - waits(a));
    const played$ = from(byWaits).pipe(
      mergeMap(async (scenario): Promise<Played> => ({ scenario, outcome: await playScenario(backends, scenario) }), AT_ONCE),
      toArray(),
    );
    const played = await lastValueFrom(played$);
    return played.sort((a, b) => scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario));
  } finally {
    storage.close();
    storage.closeAllConnections();
    await api.close();
    await rm(folder, { recursive: true });
  }
}

/** Place of a scenario, the highest first. */
function waits({ fault, isOnce }: Scenario): number {
  if (SILENT.some((each) => each === fault)) return 0;
  return !isOnce && (typeof fault === 'string' || fault === 429 || fault >= 500) ? 2 : 1;
}
