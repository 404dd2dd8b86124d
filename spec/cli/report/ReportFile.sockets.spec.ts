import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReportFile } from '../../../src/cli/report/ReportFile.js';
import { folderOf } from '../../node/support.js';
import { needsFullDevice } from '../../support/needs.js';
import { worldOf } from '../support.js';

describe('openReportFile', () => {
  it('writes at once, into a folder that it makes', async () => {
    const cwd = await folderOf();
    const file = openReportFile('--log', 'out/log.jsonl', 'anew', worldOf({ cwd }).io);
    file.write('a\n');
    expect(await readFile(join(cwd, 'out/log.jsonl'), 'utf8')).toBe('a\n');
    file.close();
    file.close();
  });

  it.each([
    ['anew', 'new'],
    ['added', 'oldnew'],
    ['whole', 'new'],
  ] as const)('with %s makes of a file that is there: %s', async (mode, content) => {
    const cwd = await folderOf({ file: 'old' });
    const file = openReportFile('--log', 'file', mode, worldOf({ cwd }).io);
    file.write('new');
    file.close();
    expect(await readFile(join(cwd, 'file'), 'utf8')).toBe(content);
  });

  it('has no file until a whole one is there, also behind a link', async () => {
    const cwd = await folderOf({ file: 'old' });
    await symlink('file', join(cwd, 'link'));
    const file = openReportFile('--report', 'link', 'whole', worldOf({ cwd }).io);
    expect(await readdir(cwd)).toEqual(['link']);
    file.write('new');
    file.close();
    expect([(await readdir(cwd)).sort(), await readFile(join(cwd, 'file'), 'utf8')]).toEqual([['file', 'link'], 'new']);
  });

  it('names option and file where it cannot be written', async () => {
    const cwd = await folderOf({ file: '' });
    expect(() => openReportFile('--summary', 'file/x', 'added', worldOf({ cwd }).io)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(/^--summary: cannot write \S+\/file\/x \(/) }),
    );
  });
});

needsFullDevice('a report on a full disk', () => {
  it('is told once, and stops nothing', () => {
    const { io, stderr } = worldOf();
    const file = openReportFile('--log', '/dev/full', 'anew', io);
    for (let i = 0; i < 3; i++) file.write('a\n');
    file.close();
    expect(stderr()).toBe('coldfetch: --log: cannot write /dev/full (ENOSPC)\n');
  });
});
