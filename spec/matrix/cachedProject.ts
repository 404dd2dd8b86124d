import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { nameAndVersion } from '../support/nameAndVersion.js';
import { projectAt, type RegistryProject } from '../support/registryProject.js';

/** Outside of the checkout, whose packages and `tsconfig.json` would be found from any folder in it. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'coldfetch-matrix');

/** A project whose packages are downloaded once and kept. */
export interface CachedProject extends RegistryProject {
  /** Installs coldfetch as packed now. */
  installTarball(path: string): Promise<void>;
}

/**
 * Finds or makes a project.
 *
 * @param name of its folder
 * @param packages with exact versions, `rxjs@7.8.2`
 */
export async function cachedProject(name: string, packages: readonly string[], manifest: object = {}): Promise<CachedProject> {
  const path = join(CACHE, name.toLowerCase().replace(/[^a-z0-9.]+/g, '-'));
  await mkdir(path, { recursive: true });
  const project = projectAt(path);
  const install = async (...args: readonly string[]): Promise<void> => {
    const { ok, output } = await project.install(...args);
    if (!ok) throw new Error(`npm install fails in ${path}:\n${output}`);
  };
  const dependencies = Object.fromEntries(packages.map(nameAndVersion));
  const wanted = JSON.stringify({ name: 'project', private: true, type: 'module', ...manifest, dependencies });
  const installed = await readFile(join(path, 'installed.json'), 'utf8').catch(() => '');
  if (installed !== wanted) {
    await project.write({ 'package.json': wanted });
    await install();
    await project.write({ 'installed.json': wanted });
  }
  return { ...project, installTarball: (tarball) => install('--no-save', tarball) };
}
