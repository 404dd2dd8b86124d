import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { namedSnippets } from '../support/namedSnippets.js';
import { type PackedProject, packedProject } from '../support/packedProject.js';

/** A marbles spec as a user writes it: the first passes, the others have to fail. */
const SPEC = `
import { EMPTY } from 'rxjs';
import { marbles, reply } from 'coldfetch/testing';

it('waits as long as the server asks', () =>
  marbles(({ server, http, expect$ }) => {
    server.on('GET /users', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '3' } }), b: reply(200, { json: [{ id: 1 }] }) });
    expect$(http.get('/users')).toBeMarbles('5ms 3s 5ms (a|)', { a: [expect.objectContaining({ id: 1 })] });
    expect$(server).toHaveRequests('a 3004ms a', { a: 'GET /users' });
    expect$(EMPTY).not.toFailWith(TypeError);
  }));

it('fails', () =>
  marbles(({ cold, expect$ }) => {
    expect$(cold('2s (a|)'))
      .toBeMarbles('3s (a|)');
  }));

it('is async', () => marbles(async ({ cold, expect$ }) => expect$(cold('a')).toBeMarbles('b')));

// Errors of the platform come from another realm in Jest, so they are no errors there.
it('tells reasons of the platform apart', () =>
  marbles(({ cold, expect$ }) => {
    const source$ = cold('#', undefined, new DOMException('no', 'AbortError'));
    expect$(source$).toFailWith(new DOMException('no', 'AbortError'));
    expect$(source$).not.toFailWith(new DOMException('no', 'TimeoutError'));
  }));
`;

/** Matchers on logs that are over, and on what the kit gives: what the compiler has to take, and what it has to refuse. */
const TYPED = `
import { EMPTY } from 'rxjs';
import { marbles, scriptedFetch } from 'coldfetch/testing';

const fetch = scriptedFetch([200]);
expect(fetch).toHaveRequests('a', { a: 'GET /users' });
expect([]).not.toWait(['retry-after 3s']);
// @ts-expect-error a diagram is a text
expect(fetch).toHaveRequests(1);

marbles(({ server, expect$ }) => {
  expect$(EMPTY).not.toBeMarbles('a', { a: expect.anything() }, TypeError);
  expect$(EMPTY).toHaveSubscriptions(['^!']);
  expect$(server).toHaveRequests('a', { a: { headers: { 'x-n': null } } });
  // @ts-expect-error a server does not emit
  expect$(server).toBeMarbles('a');
});
`;

/** The files of set-up that the guide shows. */
const GUIDE = Object.fromEntries(
  (await namedSnippets(new URL('../examples/testing/guide.md', import.meta.url))).map(({ name, code }) => [name, code]),
);

const COMPILER = {
  target: 'ES2022',
  module: 'NodeNext',
  lib: ['ES2023'],
  types: ['node'],
  strict: true,
  noEmit: true,
};

/** Compiler options by which the guide makes the matchers known. */
function guideTypes(): { types: string[] } {
  return (JSON.parse(GUIDE['tsconfig.json'] ?? '') as { compilerOptions: { types: string[] } }).compilerOptions;
}

interface Result {
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
}

/** Jest and vitest write their results in one form. */
async function results(project: PackedProject): Promise<Result[]> {
  const text = await readFile(join(project.path, 'results.json'), 'utf8');
  const { testResults } = JSON.parse(text) as { testResults: { assertionResults: Result[] }[] };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

/** Number of times that each spec passed or failed. */
function tally(found: readonly Result[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { title, status } of found) counts[`${title}: ${status}`] = (counts[`${title}: ${status}`] ?? 0) + 1;
  return counts;
}

/** Messages as users of either framework see them. */
function expectReviewedMessages(found: readonly Result[], file: RegExp): void {
  const messages = found.flatMap(({ title, failureMessages = [] }) => (title === 'fails' ? failureMessages : []));
  for (const message of messages) {
    expect(message).toContain('expected  3s     (a|)\nreceived  2s (a|)\ndiffers      ^ "a" came at 2s, 1s too early');
    expect(message.split('\n').find((line) => /^ *at /.test(line))).toMatch(file);
  }
}

const projects: PackedProject[] = [];

afterAll(() => Promise.all(projects.map((project) => project.remove())));

async function project(packages: readonly string[], files: Readonly<Record<string, string>>): Promise<PackedProject> {
  const made = await packedProject(inject('tarball'), packages, { 'package.json': '{ "type": "module" }', ...files });
  projects.push(made);
  return made;
}

describe('a vitest project', () => {
  let vitest: PackedProject;

  beforeAll(async () => {
    vitest = await project(['vitest'], {
      'vitest.config.js': GUIDE['vitest.config.js'] ?? '',
      'both.config.js': `
        import guide from './vitest.config.js';
        const { test } = guide;
        export default { test: { projects: [
          { test: { ...test, name: 'globals', globals: true, include: ['globals.test.js'] } },
          { test: { ...test, name: 'imports', globals: false, include: ['imports.test.js'] } },
        ] } };`,
      'globals.test.js': SPEC,
      'imports.test.js': `import { expect, it } from 'vitest';\n${SPEC}`,
      'typed.ts': `import { expect } from 'vitest';\n${TYPED}`,
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...COMPILER, ...guideTypes(), skipLibCheck: true }, files: ['typed.ts'] }),
    });
  });

  it('runs marble specs with and without globals', async () => {
    const { output } = await vitest.run('vitest/vitest.mjs', [
      'run',
      '--config=both.config.js',
      '--reporter=json',
      '--outputFile=results.json',
    ]);
    const found = await results(vitest).catch(() => expect.unreachable(output));
    expect(tally(found)).toEqual({
      'waits as long as the server asks: passed': 2,
      'fails: failed': 2,
      'is async: failed': 2,
      'tells reasons of the platform apart: passed': 2,
    });
    expectReviewedMessages(found, /(globals|imports)\.test\.c?js:(15|16):\d+/);
  });

  it('has typed matchers', async () => {
    expect(await vitest.run('typescript/bin/tsc', ['-p', '.'])).toEqual({ ok: true, output: '' });
  });
});

describe('a Jest project', () => {
  let jest: PackedProject;

  beforeAll(async () => {
    jest = await project(['jest', '@jest/globals', 'expect', 'esbuild'], {
      'jest.config.js': GUIDE['jest.config.js'] ?? '',
      'jest.config.cjs': GUIDE['jest.config.cjs'] ?? '',
      'jest.setup.js': GUIDE['jest.setup.js'] ?? '',
      'transform.cjs': `
        const { transformSync } = require('esbuild');
        exports.process = (source, path, { supportsStaticESM }) => transformSync(source, {
          format: supportsStaticESM ? 'esm' : 'cjs', target: 'node20', sourcemap: 'inline', sourcefile: path,
        });`,
      'all.config.js': `
        import guide from './jest.config.js';
        import toCommonJs from './jest.config.cjs';
        const project = (name, options) => ({ ...guide, rootDir: import.meta.dirname, displayName: name, testMatch: ['**/' + name + '.test.*js'], ...options });
        export default { projects: [
          project('modules'),
          project('imports', { injectGlobals: false, setupFilesAfterEnv: ['./jest.setup.js'] }),
          project('transformed', { ...toCommonJs, transform: { '[.]c?js$': './transform.cjs' } }),
        ] };`,
      'modules.test.js': SPEC,
      'imports.test.js': `import { expect, it } from '@jest/globals';\n${SPEC}`,
      // The file is .cjs, since a .js file in a package of modules would be a module.
      'transformed.test.cjs': SPEC,
      'typed.ts': `
        import { expect } from '@jest/globals';
        import { type LogMatchers, registerMatchers } from 'coldfetch/testing';
        declare module 'expect' {
          interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<R> {}
        }
        registerMatchers(expect);
        ${TYPED}`,
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...COMPILER, skipLibCheck: true }, files: ['typed.ts'] }),
      // coldfetch alone, without any test framework.
      'alone.ts': "import 'coldfetch/testing/setup';\nexport * from 'coldfetch/testing';\n",
      'tsconfig.alone.json': JSON.stringify({ compilerOptions: { ...COMPILER, skipLibCheck: false }, files: ['alone.ts'] }),
    });
  });

  it('runs marble specs as modules and transformed to CommonJS, with and without globals', async () => {
    const { output } = await jest.run('jest/bin/jest.js', ['--config=all.config.js', '--json', '--outputFile=results.json'], {
      NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    });
    const found = await results(jest).catch(() => expect.unreachable(output));
    expect(tally(found)).toEqual({
      'waits as long as the server asks: passed': 3,
      'fails: failed': 3,
      'is async: failed': 3,
      'tells reasons of the platform apart: passed': 3,
    });
    expectReviewedMessages(found, /(modules|imports|transformed)\.test\.c?js:(15|16):\d+/);
  });

  it('has typed matchers', async () => {
    expect(await jest.run('typescript/bin/tsc', ['-p', '.'])).toEqual({ ok: true, output: '' });
  });

  it('needs no other test framework for its types', async () => {
    expect(await jest.run('typescript/bin/tsc', ['-p', 'tsconfig.alone.json'])).toEqual({ ok: true, output: '' });
  });
});
