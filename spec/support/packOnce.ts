import type { TestProject } from 'vitest/node';
import { pack } from './packedProject.js';

/** Set-up of the project `packages`: its specs find the path of the tarball by `inject('tarball')`. */
export default async function packOnce(project: TestProject): Promise<() => Promise<void>> {
  const { tarball, remove } = await pack();
  project.provide('tarball', tarball);
  return remove;
}
