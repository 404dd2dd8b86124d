import { codeOf } from '../../request/codeOf.js';
import { isColdfetchError } from '../../request/errors/ColdfetchError.js';
import { UsageError } from '../../request/errors/UsageError.js';

/** What the codes of the system mean to whoever gave the path. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is a file',
  EACCES: 'cannot be read: this user has no permission',
  EPERM: 'cannot be read: this user has no permission',
  ELOOP: 'cannot be read: its symbolic links go in a circle',
  EMFILE: 'cannot be opened: this process has too many files open',
  ENAMETOOLONG: 'cannot be read: its path is too long',
};

/** An error about a file as one of ours that names its path; one of ours already is left as it is. */
export function fileProblem(path: string, cause: unknown): unknown {
  if (isColdfetchError(cause)) return cause;
  const code = codeOf(cause);
  if (code === undefined) return cause;
  return new UsageError(`${path} ${MEANINGS[code] ?? `cannot be read (${code})`}`, { cause });
}
