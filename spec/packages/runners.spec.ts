import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { namedSnippets } from '../support/namedSnippets.js';
import { type RegistryProject, registryProject } from '../support/registryProject.js';

/** The files of set-up that the guide shows. */
const GUIDE = Object.fromEntries(
  (await namedSnippets(new URL('../examples/testing/guide.md', import.meta.url))).map(({ name, code }) => [name, code]),
);

/** A marbles spec as a user writes it: the first passes, the second has to fail. */
const SPEC = `
import { marbles, reply } from 'coldfetch/testing';

it('waits as long as the server asks', () =>
  marbles(({ server, http, expect$ }) => {
    server.on('GET /users', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3' } }), b: reply(200, { json: [{ id: 1 }] }) });
    expect$(http.get('/users')).toBeMarbles('5ms 3s 5ms (a|)', { a: [expect.objectContaining({ id: 1 })] });
  }));

it('fails', () =>
  marbles(({ cold, expect$ }) => {
    expect$(cold('2s (a|)')).toBeMarbles('3s (a|)');
  }));
`;

/** In pieces, since vitest would find it in this file. */
const IN_JSDOM = ['/** @jest', 'environment jsdom */'].join('-');

const DRAWN = 'expected  3s     (a|)\nreceived  2s (a|)\ndiffers      ^ "a" came at 2s, 1s too early';

const projects: RegistryProject[] = [];

afterAll(() => Promise.all(projects.map((project) => project.remove())));

async function project(packages: readonly string[], files: Readonly<Record<string, string>>): Promise<RegistryProject> {
  const made = await registryProject({ type: 'commonjs' });
  projects.push(made);
  await made.write(files);
  const installed = await made.install(inject('tarball'), 'rxjs@7.8.2', ...packages);
  expect(installed, installed.output).toMatchObject({ ok: true });
  return made;
}

describe.each([
  ['29', ['jest@29.7.0', 'ts-jest@29.4.0', '@types/jest@29.5.14', 'jest-environment-jsdom@29.7.0', 'typescript@5.6.3']],
  ['30', ['jest@30.5.2', 'ts-jest@29.4.0', '@types/jest@30.0.0', 'jest-environment-jsdom@30.5.2', 'typescript@5.9.3']],
])('Jest %s with ts-jest, to CommonJS', (_, packages) => {
  let jest: RegistryProject;

  beforeAll(async () => {
    const compilerOptions = {
      target: 'ES2022',
      module: 'CommonJS',
      moduleResolution: 'node10',
      esModuleInterop: true,
      allowJs: true,
      strict: true,
      skipLibCheck: true,
    };
    jest = await project(packages, {
      'jest.config.cjs': GUIDE['ts-jest.config.cjs'] ?? '',
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      'waits.spec.ts': SPEC,
      'page.spec.ts': `${IN_JSDOM}\n${SPEC}`,
    });
  }, 300_000);

  it('runs marble specs by the set-up of the guide', { timeout: 120_000 }, async () => {
    const { output } = await jest.run('node_modules/.bin/jest', ['waits']);
    expect(output).toContain('✓ waits as long as the server asks');
    expect(output).toContain('✕ fails');
    expect(output.replace(/^ +/gm, '')).toContain(DRAWN);
  });

  it('says what jsdom lacks', { timeout: 120_000 }, async () => {
    const { output } = await jest.run('node_modules/.bin/jest', ['page']);
    expect(output).toContain('UsageError: coldfetch/testing needs the Response of the platform');
    expect(output).toContain('@jest-environment node');
  });
});

describe('bun test', () => {
  it('runs marble specs by the set-up of the guide, and with none', { timeout: 300_000 }, async () => {
    const bun = await project(['bun@1.4.5'], { 'waits.test.js': `import { expect, it } from 'bun:test';\n${SPEC}` });
    for (const setUp of ['', GUIDE['bunfig.toml'] ?? '']) {
      await bun.write({ 'bunfig.toml': setUp });
      const { output } = await bun.run('node_modules/.bin/bun', ['test']);
      expect(output).toContain('(pass) waits as long as the server asks');
      expect(output).toContain('(fail) fails');
      expect(output).toContain(DRAWN);
    }
  });
});
