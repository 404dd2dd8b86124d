import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { type PackedProject, packedProject } from '../support/packedProject.js';

const run = promisify(execFile);

// A project that has installed coldfetch, as it would be published, but none of its optional peers.
let project: PackedProject;
let packed: string[];

beforeAll(async () => {
  const { stdout } = await run('tar', ['-tzf', inject('tarball')]);
  packed = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  project = await packedProject(inject('tarball'), [], {});
});

afterAll(() => project.remove());

/** The files that a document of the package links to, relative to the package. */
function linksIn(path: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => posix.join(posix.dirname(path), target));
}

/** Output of Node for `code`, run as a module of that project. */
async function node(code: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: project.path });
  return stdout.trim();
}

describe('the package', () => {
  it('holds the build, its documents, licence and changes, and nothing else', () => {
    const outside = packed.filter((path) => !/^(dist|spec\/guides|spec\/examples)\//.test(path));
    expect(outside.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(packed.filter((path) => path.startsWith('dist/') && !/\.(js|d\.ts|js\.map)$/.test(path))).toEqual([]);
  });

  it('holds everything that its documents link to', async () => {
    const documents = packed.filter((path) => path.endsWith('.md'));
    const links = await Promise.all(
      documents.map(async (path) => linksIn(path, await readFile(join(project.path, 'node_modules/coldfetch', path), 'utf8'))),
    );
    expect(documents).toContain('spec/examples/testing/guide.md');
    expect(links.flat().filter((path) => !packed.includes(path))).toEqual([]);
  });

  it('holds the code and the types of each export', () => {
    const files = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
    expect(files.map((file) => file.replace('./', '')).filter((file) => !packed.includes(file))).toEqual([]);
  });

  it('holds the command, which the shell can start', async () => {
    const command = await readFile(join(project.path, 'node_modules/coldfetch', manifest.bin.coldfetch), 'utf8');
    expect(command).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('names every file with side effects that it holds', () => {
    expect(manifest.sideEffects.map((file) => file.replace('./', '')).filter((file) => !packed.includes(file))).toEqual([]);
  });

  it.each([
    'coldfetch',
    'coldfetch/core',
    'coldfetch/node',
    'coldfetch/testing',
    'coldfetch/timeline',
    'coldfetch/server',
    'coldfetch/xhr',
  ])('%s loads without the optional peers', async (name) => {
    expect(await node(`console.log(Object.keys(await import('${name}')).length > 0)`)).toBe('true');
  });

  it('shows its version to whoever asks', async () => {
    const code = `import manifest from 'coldfetch/package.json' with { type: 'json' }; console.log(manifest.version);`;
    expect(await node(code)).toBe(manifest.version);
  });

  it('has no way in but its exports', async () => {
    const code = `console.log(await import('coldfetch/dist/index.js').catch((error) => error.code));`;
    expect(await node(code)).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
