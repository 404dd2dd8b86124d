import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Finished } from './packedProject.js';

const execute = promisify(execFile);

/** Milliseconds after which a program is ended. */
const LONGEST = 240_000;

/** Project whose packages come from the npm registry, as a user's do. */
export interface RegistryProject {
  readonly path: string;
  /** Writes files, by their paths. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs `npm install` with packages and options; the output is npm's own words, errors included. */
  install(...args: readonly string[]): Promise<Finished>;
  /** Runs a program in the project; one of its own packages by a path such as `node_modules/.bin/tsc`. */
  run(program: string, args?: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Finished>;
  remove(): Promise<void>;
}

/** Makes an empty project of modules in a temporary folder. */
export async function registryProject(manifest: object = {}): Promise<RegistryProject> {
  const project = projectAt(await mkdtemp(join(tmpdir(), 'coldfetch-registry-')));
  await project.write({
    'package.json': JSON.stringify({ name: 'project', version: '1.0.0', private: true, type: 'module', ...manifest }),
  });
  return project;
}

/** The project in a folder that is there already. */
export function projectAt(path: string): RegistryProject {
  const run: RegistryProject['run'] = async (program, args = [], environment = {}) => {
    const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...environment };
    try {
      const { stdout, stderr } = await execute(program, args, { cwd: path, env, maxBuffer: 64 * 1024 * 1024, timeout: LONGEST });
      return { ok: true, output: stdout + stderr };
    } catch (error) {
      if (!(error instanceof Error && 'stdout' in error && 'stderr' in error)) throw error;
      const late = 'killed' in error && error.killed === true ? `\nended after ${LONGEST / 1000} s: it did not end by itself\n` : '';
      return { ok: false, output: String(error.stdout) + String(error.stderr) + late };
    }
  };
  return {
    path,
    write: async (files) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(path, name)), { recursive: true });
        await writeFile(join(path, name), text);
      }
    },
    run,
    install: (...args) => run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...args]),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
