import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ESLint, type Linter } from 'eslint';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

// Rules that need no types: a planted file needs not exist for them.
const ARCHITECTURE = /^no-restricted-|^@typescript-eslint\/(no-explicit-any|no-non-null-assertion|ban-ts-comment)$/;

const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ARCHITECTURE.test(ruleId),
  overrideConfig: { languageOptions: { parserOptions: { projectService: false, project: false, program: null } } },
});

/** The rules that find something in `code`, were it the text of `filePath`. */
async function broken(filePath: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
}

const imports = (path: string): string => `import { x } from '${path}';\nexport const y = x;\n`;

describe('the arrows between rooms', () => {
  it('hold in every file: each stands in a room that has rules', async () => {
    const files = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    for (const file of files) {
      const { rules } = (await eslint.calculateConfigForFile(`${root}src/${file}`)) as Linter.Config;
      expect(rules, `src/${file}`).toHaveProperty('no-restricted-imports');
    }
  });

  it.each([
    ['src/client/a.ts', '../node/a.js'],
    ['src/client/a.ts', '../cli/main.js'],
    ['src/client/a.ts', '../adapters/redis/index.js'],
    ['src/read/a.ts', '../client/a.js'],
    ['src/read/cache/a.ts', '../../client/a.js'],
    ['src/retry/a.ts', '../read/a.js'],
    ['src/retry/a.ts', '../pace/a.js'],
    ['src/retry/backoff/a.ts', '../../pace/a.js'],
    ['src/retry/a.ts', '../transport/a.js'],
    ['src/pace/a.ts', '../retry/a.js'],
    ['src/transport/a.ts', '../retry/a.js'],
    ['src/request/a.ts', '../transport/a.js'],
    ['src/request/errors/a.ts', '../../transport/a.js'],
    ['src/headers/a.ts', '../request/a.js'],
    ['src/time.ts', './headers/a.js'],
    ['src/server/a.ts', '../node/a.js'],
    ['src/server/a.ts', '../testing/a.js'],
    ['src/node/a.ts', '../testing/a.js'],
    ['src/node/a.ts', '../server/a.js'],
    ['src/testing/a.ts', '../server/a.js'],
    ['src/adapters/redis/a.ts', '../angular/a.js'],
    ['src/adapters/angular/a.ts', '../../node/a.js'],
    ['src/timeline/a.ts', '../client/a.js'],
    ['src/timeline/svg/a.ts', '../../testing/a.js'],
    ['src/client/a.ts', '../timeline/a.js'],
    ['src/retry/a.ts', '../index.js'],
  ])('%s may not import %s', async (file, path) => {
    expect(await broken(file, imports(path))).toEqual(['no-restricted-imports']);
    expect(await broken(file, `export { x } from '${path}';\n`)).toEqual(['no-restricted-imports']);
    expect(await broken(file, `export const x = () => import('${path}').then((module) => module.x);\n`)).toEqual(['no-restricted-syntax']);
  });

  it.each([
    ['src/cli/a.ts', '../server/index.js'],
    ['src/cli/a.ts', '../node/index.js'],
    ['src/node/a.ts', '../client/createClient.js'],
    ['src/client/a.ts', '../time.js'],
    ['src/client/a.ts', './b.js'],
    ['src/retry/a.ts', './backoff/exponential.js'],
    ['src/retry/backoff/a.ts', '../decide.js'],
    ['src/adapters/redis/a.ts', '../../pace/acquire.js'],
  ])('%s may import %s', async (file, path) => {
    expect(await broken(file, imports(path))).toEqual([]);
  });
});

describe('what comes from outside', () => {
  it.each([
    ['src/client/a.ts', 'node:fs'],
    ['src/client/a.ts', 'fs'],
    ['src/retry/a.ts', 'express'],
    ['src/pace/a.ts', 'redis'],
    ['src/read/a.ts', 'coldfetch'],
    ['src/testing/a.ts', 'node:assert'],
    ['src/adapters/angular/a.ts', 'node:crypto'],
    ['src/server/a.ts', 'commander'],
    ['src/cli/a.ts', 'express'],
  ])('%s may not import %s', async (file, name) => {
    expect(await broken(file, imports(name))).toEqual(['no-restricted-imports']);
    expect(await broken(file, `export const x = () => import('${name}').then((module) => module.x);\n`)).toEqual(['no-restricted-syntax']);
  });

  it.each([
    ['src/client/a.ts', 'rxjs'],
    ['src/headers/a.ts', 'structured-headers'],
    ['src/read/a.ts', 'eventsource-parser'],
    ['src/server/a.ts', 'express'],
    ['src/node/a.ts', 'node:fs/promises'],
    ['src/adapters/redis/a.ts', 'ioredis'],
    ['src/testing/a.ts', 'rxjs/testing'],
  ])('%s may import %s', async (file, name) => {
    expect(await broken(file, imports(name))).toEqual([]);
  });

  it.each(['process.exit()', 'Buffer.from("a")', 'globalThis.process.exit()', 'setImmediate(x)'])(
    'the core does not reach for %s',
    async (code) => {
      expect(await broken('src/client/a.ts', `export const a = (x) => ${code};\n`)).toEqual(['no-restricted-globals']);
    },
  );
});

describe('folders', () => {
  it('are made by makeFolder alone, since the recursive mkdir of Node never ends in /proc', async () => {
    for (const call of ['mkdir(x, { recursive: true })', 'mkdirSync(x, { mode: 448, recursive: true })']) {
      expect(await broken('src/node/a.ts', `export const a = (x) => ${call};\n`)).toEqual(['no-restricted-syntax']);
    }
    expect(await broken('src/node/a.ts', 'export const a = (x) => mkdir(x);\n')).toEqual([]);
  });
});

describe('time', () => {
  it.each([
    ['setTimeout(x)', 'no-restricted-globals'],
    ['setInterval(x)', 'no-restricted-globals'],
    ['globalThis.setTimeout(x)', 'no-restricted-globals'],
    ['performance.now()', 'no-restricted-globals'],
    ['Date.now()', 'no-restricted-properties'],
    ['AbortSignal.timeout(1)', 'no-restricted-properties'],
    ['AbortSignal.any([])', 'no-restricted-properties'],
    ['new Date()', 'no-restricted-syntax'],
    ['Date()', 'no-restricted-syntax'],
  ])('only time.ts may say %s', async (code, rule) => {
    const text = `export const a = (x) => ${code};\n`;
    expect(await broken('src/retry/a.ts', text)).toEqual([rule]);
    expect(await broken('src/node/a.ts', text)).toEqual([rule]);
    expect(await broken('src/time.ts', text)).toEqual([]);
  });

  it('lets a date be made of a number', async () => {
    expect(await broken('src/headers/a.ts', 'export const a = (x) => new Date(x);\n')).toEqual([]);
  });

  it.each(['debounceTime', 'timeInterval', 'timestamp', 'timer', 'delay'])('the core does not use %s of rxjs', async (name) => {
    const text = `import { ${name} } from 'rxjs';\nexport const a = ${name};\n`;
    expect(await broken('src/pace/a.ts', text)).toEqual(['no-restricted-imports']);
  });

  it.each([
    'export async function a() {}',
    'export const a = async () => {};',
    'export const a = { async b() {} };',
    'export async function* a() {}',
  ])('the core has no "%s"', async (code) => {
    for (const room of ['transport', 'retry', 'pace', 'client', 'read']) {
      expect(await broken(`src/${room}/a.ts`, `${code}\n`)).toEqual(['no-restricted-syntax']);
    }
    expect(await broken('src/node/a.ts', `${code}\n`)).toEqual([]);
  });

  it('the core has no await and no for await', async () => {
    const text = 'export async function a(x) {\n  for await (const y of x) await y;\n}\n';
    expect(await broken('src/transport/a.ts', text)).toEqual(Array(3).fill('no-restricted-syntax'));
  });

  it('asFetch and eachEvent stand between promises and observables', async () => {
    const text = 'export async function a(x) {\n  await x;\n}\n';
    expect(await broken('src/client/asFetch.ts', text)).toEqual([]);
    expect(await broken('src/client/asFetch.ts', `let b = 0;\n${text}`)).toEqual(['no-restricted-syntax']);
  });
});

describe('the language', () => {
  it.each(['let a = 0;', 'export let a = 0;'])('no module has a "%s"', async (code) => {
    for (const file of ['src/time.ts', 'src/client/a.ts', 'src/cli/a.ts']) {
      expect(await broken(file, `${code}\n`)).toEqual(['no-restricted-syntax']);
    }
  });

  it.each([
    ['export const a = (x: any) => x;', 'no-explicit-any'],
    ['export const a = (x: string | undefined) => x!;', 'no-non-null-assertion'],
    ['// @ts-ignore\nexport const a = 1;', 'ban-ts-comment'],
  ])('no file says %s', async (code, rule) => {
    expect(await broken('src/client/a.ts', `${code}\n`)).toEqual([`@typescript-eslint/${rule}`]);
    expect(await broken('spec/client/a.spec.ts', `${code}\n`)).toEqual([`@typescript-eslint/${rule}`]);
  });

  it('no comment switches a rule off', async () => {
    expect(await broken('src/time.ts', '/* eslint-disable no-restricted-syntax */\nlet a = 0;\n')).toContain('no-restricted-syntax');
  });
});

describe('specs', () => {
  it.each(['it.only', 'it.skip', 'it.todo', 'describe.only', 'describe.skip', 'it.concurrent.only', 'test.only'])(
    'has no %s',
    async (call) => {
      expect(await broken('spec/client/a.spec.ts', `${call}('a', () => {});\n`)).toEqual(['no-restricted-syntax']);
    },
  );

  it.each(['vi.waitFor(() => {})', 'vi.waitUntil(() => true)', 'expect.poll(() => 1, { timeout: 500 }).toBe(1)'])(
    'waits for no time that a busy machine outlasts: %s',
    async (call) => {
      expect(await broken('spec/client/a.spec.ts', `${call};\n`)).toEqual(['no-restricted-syntax']);
    },
  );

  it('skips by need', async () => {
    expect(await broken('spec/client/a.spec.ts', "describe.skipIf(true)('a', () => {});\n")).toEqual([]);
  });
});

describe('the front door', () => {
  it('opens to the core', async () => {
    expect(await broken('src/index.ts', "export { a, type B } from './client/a.js';\nexport * from './headers/a.js';\n")).toEqual([]);
  });

  it.each(['./node/index.js', './testing/index.js', './adapters/redis/index.js', 'rxjs', 'node:fs'])(
    'does not open to %s',
    async (path) => {
      expect(await broken('src/index.ts', `export { x } from '${path}';\n`)).toEqual(['no-restricted-imports']);
    },
  );

  it.each(['export const a = 1;', 'let a = 0;', "import './time.js';", "import { a } from './time.js';\nexport { a };"])(
    're-exports, nothing else: no "%s"',
    async (code) => {
      expect(await broken('src/index.ts', `${code}\n`)).toContain('no-restricted-syntax');
    },
  );

  it('runs in a browser: no module of Node is behind it', async () => {
    const { metafile } = await build({
      entryPoints: [`${root}src/index.ts`],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      external: ['rxjs'],
      logLevel: 'silent',
    });
    const outside = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
    expect(outside.filter((path) => !/^rxjs(\/|$)/.test(path))).toEqual([]);
  });
});
