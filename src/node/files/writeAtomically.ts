import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../files/makeFolder.js';
import { isMissing } from './fileErrors.js';

/** A unique name beside `path`, which the file has until it is whole. */
export function temporaryName(path: string): string {
  return `${path}.${randomUUID()}.tmp`;
}

/**
 * Writes a file in one step: readers see the old file or the new one, never half of it, even if several processes write it at the same
 * time. Makes its folder if it is missing; only the user may read it.
 */
export async function writeAtomically(path: string, parts: readonly (string | Uint8Array)[]): Promise<void> {
  const temporary = temporaryName(path);
  try {
    const file = await openNew(temporary);
    try {
      for (const part of parts) await file.writeFile(part);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Opens a new file for writing; makes its folder if it is missing. */
export async function openNew(path: string): ReturnType<typeof open> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeFolder(dirname(path), 0o700);
    return open(path, 'wx', 0o600);
  }
}
