import { codeOf } from '../../request/codeOf.js';

/** Whether an error says that a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
