import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../request/errors/causes.js';

/**
 * Makes a folder and the missing folders above it, one by one: Node's recursive `mkdir` tries forever where the system makes none, as in
 * `/proc` (measured on Node 20 to 26). An existing folder is left as it is.
 *
 * @param mode permissions of new folders
 * @throws the system's error where a folder cannot be made, or a file is in its place
 */
export function makeFolder(path: string, mode = 0o777): void {
  const folder = resolve(path);
  try {
    makeOne(folder, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    // The root is never missing, so the recursion ends.
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
