import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileProblem } from '../../node/files/fileErrors.js';
import { jsonObject } from '../../node/files/jsonObject.js';
import { type ResolvedAddress, resolveAddress } from '../../node/upload/put/PutAddress.js';
import type { Io } from '../Io.js';

/** Places of files, by their names. */
export type Manifest = ReadonlyMap<string, ResolvedAddress>;

/**
 * Reads a manifest: a JSON object of URLs, or of `{ "url", "headers" }`, by the names of files.
 *
 * @param path of the file; `-` is the standard input
 * @throws UsageError that names the file, and the name whose value is invalid
 */
export async function readManifest(path: string, { cwd, stdin }: Pick<Io, 'cwd' | 'stdin'>): Promise<Manifest> {
  const file = path === '-' ? 'The standard input' : resolve(cwd, path);
  const content = await (path === '-' ? text(stdin) : readFile(file, 'utf8')).catch((cause: unknown) => {
    throw fileProblem(`--urls: ${file}`, cause);
  });
  const entries = Object.entries(jsonObject(content, `--urls: ${file}`));
  return new Map(entries.map(([name, address]) => [name, resolveAddress(address, `--urls: ${JSON.stringify(name)} in ${path}`)]));
}
