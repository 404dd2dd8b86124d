import { expect, it } from 'vitest';
import { angularAtWork, WORKS } from './angularAtWork.js';
import { userProjects } from './userProjects.js';

const { installed } = userProjects();

// A newer one in a project of the example, and Angular 21 in this checkout.
it('coldfetch/angular compiles and works with Angular 20.0.0 and TypeScript 5.8.3', async () => {
  const angular = ['common', 'compiler', 'core'].map((name) => `@angular/${name}@20.0.0`);
  const project = await installed([...angular, 'typescript@5.8.3', 'rxjs@7.8.2']);
  expect(await angularAtWork(project)).toEqual(WORKS);
});
