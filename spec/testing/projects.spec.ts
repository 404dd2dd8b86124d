import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack, type PackedProject, packedProject } from '../support/packedProject.js';

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

const COMPILER = {
  target: 'ES2022',
  module: 'NodeNext',
  lib: ['ES2023'],
  types: ['node'],
  strict: true,
  noEmit: true,
};

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

function statuses(found: readonly Result[]): string[] {
  return found.map(({ title, status }) => `${title}: ${status}`).sort();
}

/** What each of two ways to run it has to come to. */
const TWICE = ['fails: failed', 'fails: failed', 'is async: failed', 'is async: failed'];
const PASSED = ['waits as long as the server asks: passed', 'waits as long as the server asks: passed'];

/** What users of either see. */
function expectReviewedMessages(found: readonly Result[], file: RegExp): void {
  const messages = found.flatMap(({ title, failureMessages = [] }) => (title === 'fails' ? failureMessages : []));
  for (const message of messages) {
    expect(message).toContain('expected  3s     (a|)\nreceived  2s (a|)\ndiffers      ^ "a" came at 2s, 1s too early');
    expect(message.split('\n').find((line) => /^ *at /.test(line))).toMatch(file);
  }
}

let packed: Awaited<ReturnType<typeof pack>>;
const projects: PackedProject[] = [];

beforeAll(async () => {
  packed = await pack();
}, 180_000);

afterAll(() => Promise.all([packed.remove(), ...projects.map((project) => project.remove())]));

async function project(packages: readonly string[], files: Readonly<Record<string, string>>): Promise<PackedProject> {
  const made = await packedProject(packed.tarball, packages, { 'package.json': '{ "type": "module" }', ...files });
  projects.push(made);
  return made;
}

describe('a vitest project', () => {
  let vitest: PackedProject;

  beforeAll(async () => {
    vitest = await project(['vitest'], {
      'vitest.config.js': `
        const common = { setupFiles: ['coldfetch/testing/setup'] };
        export default { test: { projects: [
          { test: { ...common, name: 'globals', globals: true, include: ['globals.test.ts'] } },
          { test: { ...common, name: 'imports', globals: false, include: ['imports.test.ts'] } },
        ] } };`,
      'globals.test.ts': SPEC,
      'imports.test.ts': `import { expect, it } from 'vitest';\n${SPEC}`,
      'typed.ts': `import { expect } from 'vitest';\nimport 'coldfetch/testing/setup';\n${TYPED}`,
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...COMPILER, skipLibCheck: true }, files: ['typed.ts'] }),
    });
  });

  it('runs marble specs with and without globals', async () => {
    const { output } = await vitest.run('vitest/vitest.mjs', ['run', '--reporter=json', '--outputFile=results.json']);
    const found = await results(vitest).catch(() => expect.unreachable(output));
    expect(statuses(found)).toEqual([...TWICE, ...PASSED]);
    expectReviewedMessages(found, /(globals|imports)\.test\.ts:(15|16):\d+/);
  }, 120_000);

  it('has typed matchers', async () => {
    expect(await vitest.run('typescript/bin/tsc', ['-p', '.'])).toEqual({ ok: true, output: '' });
  }, 120_000);
});

describe('a Jest project', () => {
  let jest: PackedProject;

  beforeAll(async () => {
    jest = await project(['jest', '@jest/globals', 'expect', 'esbuild'], {
      'transform.cjs': `
        const { transformSync } = require('esbuild');
        exports.process = (source, path, { supportsStaticESM }) => transformSync(source, {
          loader: path.endsWith('.ts') ? 'ts' : 'js', format: supportsStaticESM ? 'esm' : 'cjs', target: 'node20',
          sourcemap: 'inline', sourcefile: path,
        });`,
      'jest.config.cjs': `
        const transform = { '\\\\.[jt]s$': './transform.cjs' };
        module.exports = { projects: [
          {
            displayName: 'modules', rootDir: __dirname, testEnvironment: 'node', testMatch: ['**/modules.test.ts'], transform,
            extensionsToTreatAsEsm: ['.ts'], injectGlobals: false, setupFilesAfterEnv: ['./setup.js'],
          },
          {
            displayName: 'transformed', rootDir: __dirname, testEnvironment: 'node', testMatch: ['**/transformed.test.ts'], transform,
            transformIgnorePatterns: ['node_modules/(?!(coldfetch|structured-headers|eventsource-parser|rxjs-for-await)/)'],
            setupFilesAfterEnv: ['coldfetch/testing/setup'],
          },
        ] };`,
      'setup.js': `
        import { expect } from '@jest/globals';
        import { registerMatchers } from 'coldfetch/testing';
        registerMatchers(expect);`,
      'modules.test.ts': `import { expect, it } from '@jest/globals';\n${SPEC}`,
      'transformed.test.ts': SPEC,
      'typed.ts': `
        import { expect } from '@jest/globals';
        import { type LogMatchers, registerMatchers } from 'coldfetch/testing';
        declare module 'expect' {
          interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<R> {}
        }
        registerMatchers(expect);
        ${TYPED}`,
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...COMPILER, skipLibCheck: true }, files: ['typed.ts'] }),
      // Of coldfetch alone, with no test framework in sight.
      'alone.ts': "import 'coldfetch/testing/setup';\nexport * from 'coldfetch/testing';\n",
      'tsconfig.alone.json': JSON.stringify({ compilerOptions: { ...COMPILER, skipLibCheck: false }, files: ['alone.ts'] }),
    });
  });

  it('runs marble specs as modules and transformed to CommonJS, with and without globals', async () => {
    const { output } = await jest.run('jest/bin/jest.js', ['--json', '--outputFile=results.json'], {
      NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    });
    const found = await results(jest).catch(() => expect.unreachable(output));
    expect(statuses(found)).toEqual([...TWICE, ...PASSED]);
    expectReviewedMessages(found, /(modules|transformed)\.test\.ts:(15|16):\d+/);
  }, 120_000);

  it('has typed matchers', async () => {
    expect(await jest.run('typescript/bin/tsc', ['-p', '.'])).toEqual({ ok: true, output: '' });
  }, 120_000);

  it('needs no other test framework for its types', async () => {
    expect(await jest.run('typescript/bin/tsc', ['-p', 'tsconfig.alone.json'])).toEqual({ ok: true, output: '' });
  }, 120_000);
});
