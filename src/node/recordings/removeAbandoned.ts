import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { wallClock } from '../../time.js';
import { isMissing } from '../files/writeAtomically.js';

/** What is being written of a recording. What else is in the folder is somebody else's. */
const UNFINISHED = /^(body|.+\.headers\.json)\.[\da-f]{8}-[\da-f-]{27}\.tmp$/;
/** Unfinished files of this age, in ms, are those of processes that have died. */
const ABANDONED = 3_600_000;

/** Removes what processes that were killed have left of recordings in a folder. */
export async function removeAbandoned(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      if (!UNFINISHED.test(name)) continue;
      const path = join(folder, name);
      if (wallClock() - (await stat(path)).mtimeMs > ABANDONED) await rm(path, { force: true });
    }
  } catch (error) {
    // There is no folder yet, or another process was faster.
    if (!isMissing(error)) throw error;
  }
}
