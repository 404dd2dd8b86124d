import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RegistryProject, registryProject } from '../../support/registryProject.js';

/** Major versions of Angular with which the example is built. */
export const ANGULARS = ['21', '22'] as const;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Copies the example with the manifest and lock of a version of Angular. */
export async function copyExample(version: (typeof ANGULARS)[number], folder: string): Promise<void> {
  await cp(path('app'), folder, { recursive: true });
  await cp(path(join('versions', version)), folder, { recursive: true });
}

/**
 * The example in a temporary folder, with the packages of its lock from the npm registry and coldfetch from its tarball.
 *
 * @throws Error with npm's own words where it installs nothing
 */
export async function angularProject(version: (typeof ANGULARS)[number], tarball: string): Promise<RegistryProject> {
  const project = await registryProject();
  await copyExample(version, project.path);
  for (const args of [['ci'], ['install', '--no-save', tarball]]) {
    const { ok, output } = await project.run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline']);
    if (!ok) throw new Error(`npm ${args.join(' ')} failed:\n${output}`);
  }
  return project;
}
