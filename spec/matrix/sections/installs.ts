import { BESIDE } from '../../packages/beside.js';
import { nameAndVersion } from '../../support/nameAndVersion.js';
import { registryProject } from '../../support/registryProject.js';
import type { Section } from '../Section.js';

/** `npm install` in projects that have packages of their own. */
export const installs: Section = {
  name: 'installs',
  columns: ['beside', '`npm install coldfetch`'],
  rows: Object.entries(BESIDE).map(([title, packages]) => ({
    title,
    run: async ({ tarball }) => {
      const project = await registryProject({ dependencies: Object.fromEntries(packages.map(nameAndVersion)) });
      const { ok, output } = await project.install('--package-lock-only', tarball);
      await project.remove();
      return { cells: [ok ? 'finds a tree' : (/npm error code (\w+)/.exec(output)?.[1] ?? 'fails')], failures: ok ? [] : [output] };
    },
  })),
};
