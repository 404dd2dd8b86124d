import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of `program`, or `undefined` if this machine has none that it may run. An absolute path is looked at as it is. */
export function onPath(program: string): string | undefined {
  const folders = program.startsWith('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
