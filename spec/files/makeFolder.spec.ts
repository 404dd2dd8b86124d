import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/makeFolder.js';
import { failureOf } from '../support/failureOf.js';

const root = mkdtempSync(join(tmpdir(), 'coldfetch-spec-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const codeFor = (path: string): unknown => (failureOf(() => makeFolder(path)) as { code?: unknown }).code;

describe('makeFolder', () => {
  it('makes a folder and those above it, with the permissions that are asked for', () => {
    makeFolder(join(root, 'a/b/c'), 0o700);
    expect(['a', 'a/b', 'a/b/c'].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  });

  it('leaves a folder that is there', () => {
    makeFolder(root);
    makeFolder(join(root, 'twice'));
    makeFolder(join(root, 'twice'));
    expect(statSync(join(root, 'twice')).isDirectory()).toBe(true);
  });

  it('takes a link to a folder for one', () => {
    symlinkSync(root, join(root, 'link'));
    makeFolder(join(root, 'link/inner'));
    expect(statSync(join(root, 'inner')).isDirectory()).toBe(true);
  });

  it('fails where a file is in the place of a folder', () => {
    writeFileSync(join(root, 'file'), '');
    expect([codeFor(join(root, 'file')), codeFor(join(root, 'file/inner'))]).toEqual(['EEXIST', 'ENOTDIR']);
  });

  // The recursive mkdir of Node never returns from there.
  it.skipIf(process.platform !== 'linux')('fails where the system makes no folder', () => {
    expect([codeFor('/proc/nope'), codeFor('/proc/nope/inner')]).toEqual(['ENOENT', 'ENOENT']);
  });
});
