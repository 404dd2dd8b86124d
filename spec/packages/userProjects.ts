import { afterAll, expect, inject } from 'vitest';
import { nameAndVersion } from '../support/nameAndVersion.js';
import { type RegistryProject, registryProject } from '../support/registryProject.js';

/** Makes projects of users of the tarball, for the specs of one file: all of them are gone when these are over. */
export interface UserProjects {
  /** A project with packages in its manifest, `rxjs@^7.8.0`, none of them installed yet. */
  project(packages: readonly string[], manifest?: object): Promise<RegistryProject>;
  /** A project like {@link UserProjects.project}, with the packages and coldfetch installed. */
  installed(packages: readonly string[], manifest?: object): Promise<RegistryProject>;
}

/** The registry that `npm ci` has installed this checkout from is asked again. */
export function userProjects(): UserProjects {
  const projects: RegistryProject[] = [];
  afterAll(() => Promise.all(projects.map((project) => project.remove())));

  const project: UserProjects['project'] = async (packages, manifest = {}) => {
    const made = await registryProject({ dependencies: Object.fromEntries(packages.map(nameAndVersion)), ...manifest });
    projects.push(made);
    return made;
  };
  return {
    project,
    installed: async (packages, manifest) => {
      const made = await project(packages, manifest);
      const result = await made.install(inject('tarball'));
      expect(result, result.output).toMatchObject({ ok: true });
      return made;
    },
  };
}
