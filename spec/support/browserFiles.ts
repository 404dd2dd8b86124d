import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = (file: string): string => resolve(root, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));

/** Source files that stand in for others where a bundler builds for browsers, as `browser` in package.json has it for the build. */
export const BROWSER_FILES: ReadonlyMap<string, string> = new Map(
  Object.entries(manifest.browser).map(([file, standIn]) => [source(file), source(standIn)]),
);

/** Bundles the sources as a bundler does the package, for browsers. */
export const forBrowsers: Plugin = {
  name: 'for browsers',
  setup: (build) => {
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
      const standIn = BROWSER_FILES.get(resolve(resolveDir, path).replace(/\.js$/, '.ts'));
      return standIn === undefined ? undefined : { path: standIn };
    });
  },
};
