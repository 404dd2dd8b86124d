import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { codeOf } from '../request/errors/causes.js';

/** A package that an import from here would find. */
export interface InstalledPackage {
  readonly version: string;
  readonly folder: string;
  /** Range of Node's versions that the package asks for. */
  readonly node: string | undefined;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

/** The package `name` as it is installed; `undefined` if none is found, as in a bundle, which may contain it. */
export function installedPackage(name: string): InstalledPackage | undefined {
  for (let folder = entryFolder(name); folder !== undefined; folder = parentOf(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    // Folders of a package may have a package.json of their own, which says how their modules are read: the search goes on above it.
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (manifest.name === name) return { version: manifest.version ?? '', folder, node: manifest.engines?.node };
  }
  return undefined;
}

function entryFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(name));
  } catch (error) {
    // A bundle of CommonJS has no URL of its own.
    if (['MODULE_NOT_FOUND', 'ERR_INVALID_ARG_VALUE'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

function parentOf(folder: string): string | undefined {
  const parent = dirname(folder);
  return parent === folder ? undefined : parent;
}
