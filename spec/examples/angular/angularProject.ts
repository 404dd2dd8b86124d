import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../../package.json' with { type: 'json' };
import { unpack } from '../../support/packedProject.js';
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
  const { ok, output } = await project.run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline']);
  if (!ok) throw new Error(`npm ci failed:\n${output}`);
  await installColdfetch(project, tarball);
  return project;
}

/** Unpacks coldfetch into the packages of the example, with copies of what it depends on: a link would lead to another RxJS than the example's. */
export async function installColdfetch(project: RegistryProject, tarball: string): Promise<void> {
  await unpack(tarball, project.path);
  for (const name of Object.keys(manifest.dependencies)) {
    const installed = join('node_modules', name);
    await cp(path(join('../../..', installed)), join(project.path, installed), { recursive: true, dereference: true });
  }
}
