import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { UsageError } from '../../request/errors/UsageError.js';
import { fileProblem } from './fileErrors.js';
import type { FileStamp } from './FileStamp.js';

/**
 * Looks at a file before it is opened: `openAsBlob` succeeds on a folder, and on a missing file throws without path or code (measured).
 *
 * @returns its stamp
 * @throws UsageError (as a rejection) that names the path when it is missing, a folder, no regular file, or not readable by this user
 */
export async function inspectFile(path: string): Promise<FileStamp> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new UsageError(`${path} is a folder; give a file`);
    if (!stats.isFile()) throw new UsageError(`${path} is no regular file, so its length is not known beforehand; give a file`);
    await access(path, constants.R_OK);
    return { bytes: stats.size, modified: stats.mtimeMs };
  } catch (error) {
    throw fileProblem(path, error);
  }
}
