import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { BuildFacts } from './BuildFacts.js';

/**
 * Path of an upload's journal, different for another folder, API, build name or shard. A later run finds it, of another commit too, and
 * starts anew then.
 *
 * @param folder as given; by default one in the temporary folder that is this user's
 */
export function journalPath(folder: string | undefined, dir: string, facts: BuildFacts, cwd: string): string {
  const { api, buildName, parallelNonce, parallelIndex } = facts;
  const identity = [resolve(cwd, dir), api?.value, buildName?.value, parallelNonce?.value, parallelIndex?.value];
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  return join(folder === undefined ? join(tmpdir(), `coldfetch-${userInfo().uid}`) : resolve(cwd, folder), `upload-${digest}.jsonl`);
}
