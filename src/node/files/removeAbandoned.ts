import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { wallClock } from '../../time.js';
import { isMissing } from './fileErrors.js';

/** End of a `temporaryName`. */
const UNFINISHED = /\.[\da-f]{8}-[\da-f-]{27}\.tmp$/;
/** Age, in ms, from which on an unfinished file counts as one of a process that has died. */
const ABANDONED = 3_600_000;

/**
 * Removes the unfinished files that killed processes have left in a folder.
 *
 * @param own pattern of the caller's finished files; other files in the folder are left alone
 */
export async function removeAbandoned(folder: string, own: RegExp): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      const whole = name.replace(UNFINISHED, '');
      if (whole !== name && own.test(whole)) await removeIfOld(join(folder, name));
    }
  } catch (error) {
    // A missing folder has no such files.
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
