import type { RegistryProject } from '../support/registryProject.js';
import { namedSnippets } from '../support/namedSnippets.js';

/** Marbles specs in a project, and how its test runner tells of them. */
export interface MarblesRun {
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly [program: string, ...args: readonly string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** Words of the runner for a spec that passes. */
  readonly passed: string;
  /** Words of the runner for one that fails. */
  readonly failed: string;
}

/** A test runner in a project of its own, set up as the guide says. */
export interface TestRunner extends MarblesRun {
  readonly packages: readonly string[];
  /** Kind of module of the project's `.js` and `.ts` files. */
  readonly type: 'module' | 'commonjs';
}

/** Files of set-up that the guide shows. */
export const GUIDE: Readonly<Record<string, string>> = Object.fromEntries(
  (await namedSnippets(new URL('../examples/testing/guide.md', import.meta.url))).map(({ name, code }) => [name, code]),
);

/** A marbles spec as a user writes it: the first passes, the second has to fail. */
export const SPEC = `
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

/** The drawing of the second. */
const DRAWN = 'expected  3s     (a|)\nreceived  2s (a|)\ndiffers      ^ "a" came at 2s, 1s too early';

const COMPILER_OPTIONS = {
  target: 'ES2022',
  module: 'CommonJS',
  moduleResolution: 'node10',
  esModuleInterop: true,
  allowJs: true,
  strict: true,
  skipLibCheck: true,
};

function jestToCommonJS(jest: string, types: string, typescript: string): TestRunner {
  return {
    type: 'commonjs',
    packages: [`jest@${jest}`, 'ts-jest@29.4.0', `@types/jest@${types}`, `jest-environment-jsdom@${jest}`, `typescript@${typescript}`],
    files: {
      'jest.config.cjs': GUIDE['ts-jest.config.cjs'] ?? '',
      'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER_OPTIONS }),
      'waits.spec.ts': SPEC,
    },
    command: ['node_modules/.bin/jest', 'waits'],
    passed: '✓ waits as long as the server asks',
    failed: '✕ fails',
  };
}

function jestModules(version: string): TestRunner {
  return {
    type: 'module',
    packages: [`jest@${version}`],
    files: { 'jest.config.js': GUIDE['jest.config.js'] ?? '', 'waits.test.mjs': SPEC },
    command: ['node_modules/.bin/jest', '--testMatch', '**/*.test.mjs'],
    environment: { NODE_OPTIONS: '--experimental-vm-modules' },
    passed: '✓ waits as long as the server asks',
    failed: '✕ fails',
  };
}

function vitest(version: string): TestRunner {
  return {
    type: 'module',
    packages: [`vitest@${version}`],
    files: { 'vitest.config.mjs': GUIDE['vitest.config.js'] ?? '', 'waits.test.mjs': `import { expect, it } from 'vitest';\n${SPEC}` },
    command: ['node_modules/.bin/vitest', 'run', '--reporter=verbose'],
    passed: '✓ waits.test.mjs > waits as long as the server asks',
    failed: '× waits.test.mjs > fails',
  };
}

function bunTest(setUp: string): TestRunner {
  return {
    type: 'module',
    packages: ['bun@1.4.5'],
    files: { 'bunfig.toml': setUp, 'waits.test.js': `import { expect, it } from 'bun:test';\n${SPEC}` },
    command: ['node_modules/.bin/bun', 'test'],
    passed: '(pass) waits as long as the server asks',
    failed: '(fail) fails',
  };
}

/** Test runners in which marble specs are tried. */
export const TEST_RUNNERS = {
  'Jest 29, modules': jestModules('29.7.0'),
  'Jest 29, ts-jest to CommonJS': jestToCommonJS('29.7.0', '29.5.14', '5.6.3'),
  'Jest 30, modules': jestModules('30.5.2'),
  'Jest 30, ts-jest to CommonJS': jestToCommonJS('30.5.2', '30.0.0', '5.9.3'),
  'vitest 3': vitest('3.2.4'),
  'vitest 4': vitest('4.1.12'),
  'vitest 5': vitest('5.1.2'),
  'bun test': bunTest(GUIDE['bunfig.toml'] ?? ''),
  'bun test, not set up': bunTest(''),
} satisfies Record<string, TestRunner>;

/** The specs in the example of Angular, whose test builder runs vitest. */
export const NG_TEST: MarblesRun = {
  files: { 'src/app/waits.test.ts': SPEC },
  command: ['npm', 'test', '--', '--include=src/app/waits.test.ts', '--reporters=verbose'],
  passed: '✓ |archive| src/app/waits.test.ts > waits as long as the server asks',
  failed: '× |archive| src/app/waits.test.ts > fails',
};

/** Runs the specs in a project that has the packages and coldfetch; gives the faults in how they were reported. */
export async function faultsOf(project: RegistryProject, run: MarblesRun): Promise<string[]> {
  return faultsIn(await outputOf(project, run), run);
}

/** Output of the specs, run in a project that has the packages and coldfetch. */
export async function outputOf(project: RegistryProject, { files, command, environment }: MarblesRun): Promise<string> {
  await project.write(files);
  const [program, ...args] = command;
  return (await project.run(program, args, environment)).output;
}

/** Faults in how the specs were reported. */
export function faultsIn(output: string, { passed, failed }: Pick<MarblesRun, 'passed' | 'failed'>): string[] {
  const drawn = output.replace(/^ +/gm, '');
  const missing = [passed, failed].filter((words) => !output.includes(words));
  return [...missing, ...(drawn.includes(DRAWN) ? [] : [DRAWN])].map((words) => `"${words}" is missing in:\n${output}`);
}
