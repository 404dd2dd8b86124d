import { faultsOf, TEST_RUNNERS, type TestRunner } from '../../packages/testRunners.js';
import { cachedProject } from '../cachedProject.js';
import type { Row, Section } from '../Section.js';

/** A marbles spec in every test runner, set up as the guide says: one passes, one fails and is drawn. */
export const testRunners: Section = {
  name: 'test runners',
  columns: ['test runner', 'a spec that passes, one that fails and is drawn'],
  rows: Object.entries(TEST_RUNNERS).map(([title, runner]) => rowOf(title, runner)),
};

function rowOf(title: string, runner: TestRunner): Row {
  return {
    title,
    run: async ({ tarball }) => {
      const project = await cachedProject(`runner-${title}`, [...runner.packages, 'rxjs@7.8.2'], { type: runner.type });
      await project.installTarball(tarball);
      const failures = await faultsOf(project, runner);
      return { cells: [failures.length === 0 ? 'yes' : 'no'], failures };
    },
  };
}
