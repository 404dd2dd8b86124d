import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../request/errors/causes.js';

/**
 * Makes a folder and those above it that are missing, one by one: the recursive `mkdir` of Node tries for ever where the system makes none, as
 * in `/proc` (measured on Node 20 to 26). A folder that is there is left as it is.
 *
 * @param mode permissions of the folders that it makes
 * @throws the system's error where one cannot be made, or a file is in its place
 */
export function makeFolder(path: string, mode = 0o777): void {
  const folder = resolve(path);
  try {
    makeOne(folder, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    // The root is never missing, so this ends.
    makeFolder(dirname(folder), mode);
    makeOne(folder, mode);
  }
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}
