import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { codeOf } from '../../request/guards.js';

/** Version of the package `name` that this module would import; `undefined` if none is found, as in a bundle. */
export function installedVersion(name: string): string | undefined {
  for (let folder = entryFolder(name); folder !== undefined; folder = parentOf(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    // Folders of a package may have a package.json of their own, which says how their modules are read.
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: string; readonly version?: string };
    if (manifest.name === name) return manifest.version;
  }
  return undefined;
}

function entryFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(name));
  } catch (error) {
    if (codeOf(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function parentOf(folder: string): string | undefined {
  const parent = dirname(folder);
  return parent === folder ? undefined : parent;
}
