import { cachedProject } from '../cachedProject.js';
import type { Row, Section } from '../Section.js';

interface Bundler {
  readonly title: string;
  readonly packages: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly command: readonly [program: string, ...args: readonly string[]];
  /** File that it writes. */
  readonly output: string;
}

/** An application of the front door, which sends one request and says what came. */
const APP = `
import { createClient } from 'coldfetch';

const fetch = () => Promise.resolve(new Response('{"id":1}'));
createClient({ baseUrl: 'https://api.example.com', fetch }).get('users/1').subscribe(({ id }) => console.log('user', id));
`;

const BUNDLERS: readonly Bundler[] = [
  {
    title: 'esbuild 0.28',
    packages: ['esbuild@0.28.2'],
    command: ['node_modules/.bin/esbuild', 'app.js', '--bundle', '--format=esm', '--platform=browser', '--outfile=out/app.js'],
    output: 'out/app.js',
  },
  {
    title: 'Vite 8',
    packages: ['vite@8.4.0'],
    files: {
      'vite.config.js': `export default { build: { lib: { entry: 'app.js', formats: ['es'], fileName: 'app' }, outDir: 'out', target: 'es2022' } };`,
    },
    command: ['node_modules/.bin/vite', 'build'],
    output: 'out/app.js',
  },
  {
    title: 'webpack 5',
    packages: ['webpack@5.113.0', 'webpack-cli@7.3.1'],
    files: {
      'webpack.config.js': `export default { mode: 'production', entry: './app.js', target: ['web', 'es2022'], output: { path: import.meta.dirname + '/out', filename: 'app.js' }, performance: false };`,
    },
    command: ['node_modules/.bin/webpack', '--no-color'],
    output: 'out/app.js',
  },
  {
    // Rollup finds no package without node-resolve.
    title: 'rollup 4',
    packages: ['rollup@4.68.8', '@rollup/plugin-node-resolve@16.0.3'],
    command: ['node_modules/.bin/rollup', 'app.js', '--plugin', 'node-resolve={browser:true}', '--format', 'es', '--file', 'out/app.js'],
    output: 'out/app.js',
  },
];

/** The front door, bundled for browsers. */
export const bundlers: Section = {
  name: 'bundlers',
  columns: ['bundler', 'warnings', 'the bundle works'],
  rows: BUNDLERS.map(rowOf),
};

function rowOf({ title, packages, files, command: [program, ...args], output }: Bundler): Row {
  return {
    title,
    run: async ({ tarball }) => {
      const project = await cachedProject(title, [...packages, 'rxjs@7.8.2']);
      await project.write({ 'app.js': APP, ...files });
      await project.installTarball(tarball);
      const built = await project.run(program, args);
      const ran = await project.run(process.execPath, [output]);
      const warns = /warn|unresolved|circular/i.test(built.output);
      const works = ran.output.includes('user 1');
      const failed = [...(warns || !built.ok ? [built] : []), ...(works ? [] : [ran])];
      return { cells: [warns ? 'some' : 'none', works ? 'yes' : 'no'], failures: failed.map((finished) => finished.output) };
    },
  };
}
