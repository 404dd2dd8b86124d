import { beforeAll, describe, expect, it } from 'vitest';
import type { RegistryProject } from '../support/registryProject.js';
import { faultsIn, faultsOf, outputOf, SPEC, TEST_RUNNERS, type TestRunner } from './testRunners.js';
import { userProjects } from './userProjects.js';

/** The mark is in pieces, since vitest would find it in this file. */
const IN_JSDOM = ['/** @jest', 'environment jsdom */'].join('-');

const { installed } = userProjects();

function prepare({ packages, type }: TestRunner): Promise<RegistryProject> {
  return installed([...packages, 'rxjs@7.8.2'], { type });
}

describe.each(['Jest 29, ts-jest to CommonJS', 'Jest 30, ts-jest to CommonJS'] as const)('%s', (name) => {
  const runner = TEST_RUNNERS[name];
  let output: string;

  beforeAll(async () => {
    const project = await prepare(runner);
    const files = { ...runner.files, 'page.spec.ts': `${IN_JSDOM}\n${SPEC}` };
    output = await outputOf(project, { ...runner, files, command: ['node_modules/.bin/jest', '--verbose', '--runInBand'] });
  });

  it('runs marble specs by the set-up of the guide', () => {
    expect(faultsIn(output, runner)).toEqual([]);
  });

  it('says what jsdom lacks', () => {
    expect(output).toContain('UsageError: coldfetch/testing needs the Response of the platform');
    expect(output).toContain('@jest-environment node');
  });
});

describe('bun test', () => {
  it('runs marble specs by the set-up of the guide, and with none', async () => {
    const project = await prepare(TEST_RUNNERS['bun test']);
    expect(await faultsOf(project, TEST_RUNNERS['bun test'])).toEqual([]);
    expect(await faultsOf(project, TEST_RUNNERS['bun test, not set up'])).toEqual([]);
  });
});
