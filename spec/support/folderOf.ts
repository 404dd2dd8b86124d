import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files, gone after the spec; a number is a file of so many random bytes. */
export async function folderOf(files: Readonly<Record<string, string | Uint8Array | number>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-spec-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof content === 'number' ? randomBytes(content) : content);
  }
  return folder;
}
