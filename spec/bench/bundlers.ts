import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { build } from 'vite';
import { bundle, ENTRIES, kib, PEERS } from './bundles.js';
import { load } from './peers/load.mjs';

/** Bundles a module on disk, without rxjs; gives the code. */
type Bundler = (entry: string, folder: string) => Promise<string | Uint8Array>;

interface Rollup {
  rollup(options: object): Promise<{
    generate(options: object): Promise<{ readonly output: readonly { readonly code?: string }[] }>;
    close(): Promise<void>;
  }>;
}

interface Webpack {
  readonly default: (options: object, done: (error: Error | null, stats?: WebpackStats) => void) => void;
}

interface WebpackStats {
  hasErrors(): boolean;
  toString(): string;
}

const EXTERNAL = new RegExp(`^(${PEERS.join('|')})(/|$)`);

const BUNDLERS: Readonly<Record<string, Bundler>> = {
  Vite: async (entry, folder) => {
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir: 'vite',
        target: 'es2022',
        lib: { entry, formats: ['es'], fileName: 'out' },
        minify: true,
        rolldownOptions: { external: EXTERNAL },
      },
    });
    // Vite leaves the white space of libraries in; an application's is minified.
    return minified(await readFile(join(folder, 'vite/out.js'), 'utf8'));
  },
  webpack: async (entry, folder) => {
    const { default: webpack } = (await load('webpack')) as Webpack;
    await new Promise<void>((resolve, reject) => {
      const output = { path: join(folder, 'webpack'), filename: 'out.mjs', module: true, library: { type: 'module' } };
      const options = { entry, context: folder, mode: 'production', target: 'web', externals: [EXTERNAL], externalsType: 'module', output };
      webpack({ ...options, experiments: { outputModule: true }, performance: false }, (error, stats) => {
        if (error ?? stats?.hasErrors()) reject(error ?? new Error(String(stats)));
        else resolve();
      });
    });
    return readFile(join(folder, 'webpack/out.mjs'));
  },
  'rollup without plugins': async (entry) => {
    const { rollup } = (await load('rollup')) as Rollup;
    // Packages cannot be found without a plugin: they stay imports.
    const made = await rollup({ input: entry, external: /^[^./]/, logLevel: 'silent' });
    const { output } = await made.generate({ format: 'es' });
    await made.close();
    return minified(output.map(({ code = '' }) => code).join('\n'));
  },
};

/** Folders of front doors that are not named as these. */
const DOORS: Readonly<Record<string, string>> = { '/angular': '/adapters/angular' };

/** KiB, minified and gzipped without the {@link PEERS}, that the bundlers make of each entry. */
export async function bundlers(root: string): Promise<Record<string, Record<string, number>>> {
  const measured: Record<string, Record<string, number>> = {};
  const folder = await mkdtemp(join(root, 'node_modules/.bundlers-'));
  try {
    for (const [name, contents] of Object.entries(ENTRIES)) {
      const entry = join(folder, 'entry.mjs');
      // A path, since rollup finds no packages.
      await writeFile(
        entry,
        contents.replace(/'coldfetch(\/\w+)?'/, (_, door: string | undefined = '') => `'${root}dist${DOORS[door] ?? door}/index.js'`),
      );
      const sizes: Record<string, number> = { esbuild: (await bundle(contents, root)).size };
      for (const [bundler, run] of Object.entries(BUNDLERS)) {
        sizes[bundler] = kib(gzipSync(await run(entry, folder), { level: 9 }).byteLength);
      }
      measured[name] = sizes;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return measured;
}

async function minified(code: string): Promise<string> {
  return (await transform(code, { minify: true, format: 'esm', target: 'es2022' })).code;
}
