import { codeOf } from '../../request/errors/causes.js';
import { isColdfetchError } from '../../request/errors/ColdfetchError.js';
import { UsageError } from '../../request/errors/UsageError.js';

/** True if an error means that a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Meanings of the system's codes for the person who gave the path. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'does not exist: a part of its path is a file',
  EACCES: 'cannot be read: this user has no permission',
  EPERM: 'cannot be read: this user has no permission',
  ELOOP: 'cannot be read: its symbolic links go in a circle',
  EMFILE: 'cannot be opened: this process has too many files open',
  ENAMETOOLONG: 'cannot be read: its path is too long',
};

/** Character that stands for bytes which are not UTF-8; a path with it leads nowhere. */
const UNDECODABLE = '\ufffd';

/** An error about a file as a coldfetch error that names its path; a coldfetch error stays as it is. */
export function fileProblem(path: string, cause: unknown): unknown {
  if (isColdfetchError(cause)) return cause;
  const code = codeOf(cause);
  if (code === undefined) return cause;
  if (code === 'ENOENT' && path.includes(UNDECODABLE)) {
    return new UsageError(`${path} has a name that is not UTF-8, so it cannot be opened by it; rename it`, { cause });
  }
  return new UsageError(`${path} ${MEANINGS[code] ?? `cannot be read (${code})`}`, { cause });
}
