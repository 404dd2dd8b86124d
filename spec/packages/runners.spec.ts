import { beforeAll, describe, expect, it } from 'vitest';
import type { RegistryProject } from '../support/registryProject.js';
import { faultsOf, SPEC, TEST_RUNNERS, type TestRunner } from './testRunners.js';
import { userProjects } from './userProjects.js';

/** In pieces, since vitest would find it in this file. */
const IN_JSDOM = ['/** @jest', 'environment jsdom */'].join('-');

const { installed } = userProjects();

function prepare({ packages, type }: TestRunner): Promise<RegistryProject> {
  return installed([...packages, 'rxjs@7.8.2'], { type });
}

describe.each(['Jest 29, ts-jest to CommonJS', 'Jest 30, ts-jest to CommonJS'] as const)('%s', (name) => {
  let project: RegistryProject;

  beforeAll(async () => {
    project = await prepare(TEST_RUNNERS[name]);
  }, 300_000);

  it('runs marble specs by the set-up of the guide', { timeout: 120_000 }, async () => {
    expect(await faultsOf(project, TEST_RUNNERS[name])).toEqual([]);
  });

  it('says what jsdom lacks', { timeout: 120_000 }, async () => {
    await project.write({ ...TEST_RUNNERS[name].files, 'page.spec.ts': `${IN_JSDOM}\n${SPEC}` });
    const { output } = await project.run('node_modules/.bin/jest', ['page']);
    expect(output).toContain('UsageError: coldfetch/testing needs the Response of the platform');
    expect(output).toContain('@jest-environment node');
  });
});

describe('bun test', () => {
  it('runs marble specs by the set-up of the guide, and with none', { timeout: 300_000 }, async () => {
    const project = await prepare(TEST_RUNNERS['bun test']);
    expect(await faultsOf(project, TEST_RUNNERS['bun test'])).toEqual([]);
    expect(await faultsOf(project, TEST_RUNNERS['bun test, not set up'])).toEqual([]);
  });
});
