import { resolve } from 'node:path';
import { map, type Observable } from 'rxjs';
import type { Screenshot } from '../../node/Screenshot.js';
import { screenshots } from '../../node/screenshots.js';
import type { BuildFacts } from './BuildFacts.js';

/** The screenshots of a folder, by the settings: a shard may have none, and a threshold holds where a side-car file has none. */
export function findScreenshots(dir: string, facts: BuildFacts, cwd: string): Observable<Screenshot> {
  const { include, exclude, threshold, parallelNonce } = facts;
  return screenshots(resolve(cwd, dir), { include: include?.value, exclude: exclude?.value, allowEmpty: parallelNonce !== undefined }).pipe(
    map((file) => (threshold === undefined ? file : { threshold: threshold.value, ...file })),
  );
}
