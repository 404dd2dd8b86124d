import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Output of a command, and whether it succeeded. */
export interface Finished {
  readonly ok: boolean;
  readonly output: string;
}

/** A project in a temporary folder that has installed coldfetch from its tarball; everything else is linked from this checkout. */
export interface PackedProject {
  readonly path: string;
  /** Runs a file of a package of the checkout with Node, in the project. */
  run(file: string, args?: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Finished>;
  remove(): Promise<void>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of coldfetch as it would be published, made once for all specs. */
    readonly tarball: string;
  }
}

/** Builds and packs coldfetch in a temporary folder, as `npm publish` would, without touching the checkout. */
export async function pack(): Promise<{ readonly tarball: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-pack-'));
  // The output is the same without the errors, which are those of `npm run check:types`, and comes in half of the time.
  const built = await node(root, 'typescript/bin/tsc', ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', join(folder, 'dist')]);
  if (!built.ok) throw new Error(`the build failed:\n${built.output}`);
  for (const file of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'src', 'spec', 'eslint.config.js']) {
    await cp(join(root, file), join(folder, file), { recursive: true, filter: (path) => !path.includes('.generated') });
  }
  // Scripts of the package would build in the checkout, for others to stumble over.
  const { stdout } = await execute('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: folder });
  return { tarball: join(folder, stdout.trim()), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Unpacks coldfetch into the packages of a project, as `npm install` does, without what it depends on. */
export async function unpack(tarball: string, project: string): Promise<void> {
  const installed = join(project, 'node_modules/coldfetch');
  await mkdir(installed, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
}

/**
 * Makes a project.
 *
 * @param packages what it has installed beside coldfetch and what that depends on
 * @param files its files, by their paths
 */
export async function packedProject(
  tarball: string,
  packages: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<PackedProject> {
  const path = await mkdtemp(join(tmpdir(), 'coldfetch-project-'));
  await unpack(tarball, path);
  for (const name of [...Object.keys(manifest.dependencies), 'rxjs', '@types/node', ...packages]) {
    const link = join(path, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return {
    path,
    run: (file, args, environment) => node(path, file, args, environment),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

async function node(
  cwd: string,
  file: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...environment };
  try {
    const { stdout, stderr } = await execute(process.execPath, [join(root, 'node_modules', file), ...args], { cwd, env });
    return { ok: true, output: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error;
    return { ok: false, output: String(error.stdout) + String(error.stderr) };
  }
}
