import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUsageError } from 'coldfetch';
import { describe, expect, it } from 'vitest';
import { Journal } from '../../../src/node/upload/Journal.js';
import { folderOf } from '../../support/folderOf.js';

const file = (name: string, modified = 1) => ({ path: `/${name}`, name, contentType: 'image/png', stamp: { bytes: 5, modified } });
const FILES = [file('a.png'), file('b.png')];
const BUILD = { id: '1', url: 'https://app.test/1' };

/** A journal of an upload that was killed when `a` had arrived. */
async function killed(): Promise<{ readonly path: string; readonly uploadId: string }> {
  const path = join(await folderOf(), 'deep/journal.jsonl');
  const journal = Journal.open(path);
  journal.hashed({ ...file('a.png'), key: 'a' });
  journal.begin('identity', FILES);
  journal.created(BUILD);
  journal.arrived('a');
  journal.close();
  return { path, uploadId: journal.uploadId };
}

function resumed(path: string, identity = 'identity', files = FILES): Journal {
  const journal = Journal.open(path);
  journal.begin(identity, files);
  journal.close();
  return journal;
}

describe('Journal', () => {
  it('goes on with the same upload, its build, its keys and what has arrived', async () => {
    const { path, uploadId } = await killed();
    const journal = resumed(path);
    expect([journal.uploadId, journal.build, journal.hasArrived('a'), journal.hasArrived('b')]).toEqual([uploadId, BUILD, true, false]);
    expect([journal.keyOf(file('a.png')), journal.keyOf(file('a.png', 2)), journal.keyOf(file('b.png'))]).toEqual([
      'a',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['of something else', 'other', FILES],
    ['of a file that has changed', 'identity', [file('a.png'), file('b.png', 2)]],
    ['of a file more', 'identity', [...FILES, file('c.png')]],
    ['of a file less', 'identity', [file('a.png')]],
  ])('starts anew for an upload %s', async (_case, identity, files) => {
    const { path, uploadId } = await killed();
    const journal = resumed(path, identity, files);
    expect(journal.uploadId).not.toBe(uploadId);
    expect([journal.build, journal.hasArrived('a')]).toEqual([undefined, false]);
    expect(resumed(path, identity, files).uploadId).toBe(journal.uploadId);
  });

  it('does not take files that arrived in another build for arrived', async () => {
    const { path } = await killed();
    const journal = resumed(path);
    journal.created({ id: '2', url: '' });
    expect(journal.hasArrived('a')).toBe(false);
    expect(resumed(path).hasArrived('a')).toBe(false);
  });

  it('recovers from a last line that is torn', async () => {
    const { path, uploadId } = await killed();
    await appendFile(path, '{"arrived":"b');
    const journal = resumed(path);
    expect([journal.uploadId, journal.hasArrived('b')]).toEqual([uploadId, false]);
    journal.arrived('c');
    expect((await readFile(path, 'utf8')).split('\n').slice(-3)).toEqual(['{"arrived":"a"}', '{"arrived":"c"}', '']);
    expect(resumed(path).hasArrived('c')).toBe(true);
  });

  it('starts anew where not even the first line is whole', async () => {
    const path = join(await folderOf({ 'j.jsonl': '{"journal":1,"uplo' }), 'j.jsonl');
    const journal = resumed(path);
    expect(resumed(path).uploadId).toBe(journal.uploadId);
  });

  it.each([
    ['{"journal":1}\n{"arr\n{"arrived":"b"}\n', 'is damaged in line 2; remove it to start anew'],
    ['{"journal":1}\n7\n', 'is damaged in line 2; remove it to start anew'],
    ['{"journal":99}\n', 'is not a journal of this version; remove it to start anew'],
    ['{"level":"info"}\n', 'is not a journal of this version; remove it to start anew'],
  ])('refuses what it cannot recover: %j', async (text, message) => {
    const path = join(await folderOf({ 'j.jsonl': text }), 'j.jsonl');
    const open = (): Journal => Journal.open(path);
    expect(open).toThrow(message);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('names a file that cannot be read or written', async () => {
    const folder = await folderOf({ file: 'x' });
    expect(() => Journal.open(folder)).toThrow(`The journal ${folder} cannot be read (EISDIR)`);
    const below = join(folder, 'file/j.jsonl');
    await writeFile(join(folder, 'file'), '');
    let error: unknown;
    try {
      resumed(below);
    } catch (thrown) {
      error = thrown;
    }
    expect(isUsageError(error) && error.message).toMatch(/^The journal .*j\.jsonl cannot be (read|written) \((EEXIST|ENOTDIR)\)$/);
  });

  it('is for this user only, and gone when the upload is complete', async () => {
    const { path } = await killed();
    expect((await stat(path)).mode & 0o077).toBe(0);
    const journal = Journal.open(path);
    journal.remove();
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });
});
