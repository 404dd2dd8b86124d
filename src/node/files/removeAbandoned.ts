import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { wallClock } from '../../time.js';
import { isMissing } from './fileErrors.js';

/** End of a `temporaryName`. */
const UNFINISHED = /\.[\da-f]{8}-[\da-f-]{27}\.tmp$/;
/** Unfinished files of this age, in ms, are those of processes that have died. */
const ABANDONED = 3_600_000;

/**
 * Removes the unfinished files that processes which were killed have left in a folder.
 *
 * @param own what a finished file of the caller's may be called; what else is in the folder is somebody else's
 */
export async function removeAbandoned(folder: string, own: RegExp): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      const whole = name.replace(UNFINISHED, '');
      if (whole !== name && own.test(whole)) await removeIfOld(join(folder, name));
    }
  } catch (error) {
    // There is no folder yet.
    if (!isMissing(error)) throw error;
  }
}

async function removeIfOld(path: string): Promise<void> {
  try {
    if (wallClock() - (await stat(path)).mtimeMs > ABANDONED) await rm(path, { force: true });
  } catch (error) {
    // Another process was faster.
    if (!isMissing(error)) throw error;
  }
}
