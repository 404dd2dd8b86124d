import { ANGULARS, copyExample } from '../../examples/angular/angularProject.js';
import { faultsOf, type MarblesRun, NG_TEST, TEST_RUNNERS } from '../../packages/testRunners.js';
import { type CachedProject, cachedCopy, cachedProject } from '../cachedProject.js';
import type { Row, Section } from '../Section.js';

/** A marbles spec in every test runner, set up as the guide says: one passes, one fails and is drawn. */
export const testRunners: Section = {
  name: 'test runners',
  columns: ['test runner', 'a spec that passes, one that fails and is drawn'],
  rows: [
    ...Object.entries(TEST_RUNNERS).map(([title, runner]) =>
      rowOf(title, runner, () => cachedProject(`runner-${title}`, [...runner.packages, 'rxjs@7.8.2'], { type: runner.type })),
    ),
    ...ANGULARS.map((version) =>
      rowOf(`ng test, Angular ${version}`, NG_TEST, () => cachedCopy(`ng-test-${version}`, (folder) => copyExample(version, folder))),
    ),
  ],
};

function rowOf(title: string, specs: MarblesRun, prepare: () => Promise<CachedProject>): Row {
  return {
    title,
    run: async ({ tarball }) => {
      const project = await prepare();
      await project.installTarball(tarball);
      const failures = await faultsOf(project, specs);
      return { cells: [failures.length === 0 ? 'yes' : 'no'], failures };
    },
  };
}
