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
  const project = await projectIn(name);
  const dependencies = Object.fromEntries(packages.map(nameAndVersion));
  const wanted = JSON.stringify({ name: 'project', private: true, type: 'module', ...manifest, dependencies });
  await once(project, wanted, async () => {
    await project.write({ 'package.json': wanted });
    await npm(project, 'install');
  });
  return project;
}

/**
 * Finds or makes a project of files that include a manifest and a lock.
 *
 * @param name of its folder
 * @param copy puts the files into the folder, each time
 */
export async function cachedCopy(name: string, copy: (folder: string) => Promise<void>): Promise<CachedProject> {
  const project = await projectIn(name);
  await copy(project.path);
  await once(project, await readFile(join(project.path, 'package-lock.json'), 'utf8'), () => npm(project, 'ci'));
  return project;
}

async function projectIn(name: string): Promise<CachedProject> {
  const path = join(CACHE, name.toLowerCase().replace(/[^a-z0-9.]+/g, '-'));
  await mkdir(path, { recursive: true });
  const project = projectAt(path);
  return { ...project, installTarball: (tarball) => npm(project, 'install', '--no-save', tarball) };
}

/** Installs unless the packages are there that are wanted. */
async function once({ path, write }: RegistryProject, wanted: string, install: () => Promise<void>): Promise<void> {
  const installed = await readFile(join(path, 'installed.json'), 'utf8').catch(() => '');
  if (installed === wanted) return;
  await install();
  await write({ 'installed.json': wanted });
}

async function npm({ path, run }: RegistryProject, ...args: readonly string[]): Promise<void> {
  const { ok, output } = await run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline']);
  if (!ok) throw new Error(`npm ${args.join(' ')} fails in ${path}:\n${output}`);
}
