import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUsageError } from 'coldfetch';
import { screenshots } from 'coldfetch/node';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/errorOf.js';
import { all } from '../support/all.js';
import { folderOf } from '../support/folderOf.js';

describe('screenshots', () => {
  it('finds the images of a folder and the folders below it, sorted, under their relative names', async () => {
    const folder = await folderOf({ 'b/two.JPG': 'x', 'b.png': 'x', 'a [1]/ü.webp': 'x', 'notes.txt': 'x', 'Z.jpeg': 'x' });
    expect(await all(screenshots(folder))).toEqual([
      { path: join(folder, 'Z.jpeg'), name: 'Z.jpeg', contentType: 'image/jpeg' },
      { path: join(folder, 'a [1]/ü.webp'), name: 'a [1]/ü.webp', contentType: 'image/webp' },
      { path: join(folder, 'b.png'), name: 'b.png', contentType: 'image/png' },
      { path: join(folder, 'b/two.JPG'), name: 'b/two.JPG', contentType: 'image/jpeg' },
    ]);
  });

  it('leaves out hidden files and folders', async () => {
    const folder = await folderOf({ 'a.png': 'x', '.b.png': 'x', '.cache/c.png': 'x' });
    expect((await all(screenshots(folder))).map(({ name }) => name)).toEqual(['a.png']);
  });

  it('follows symbolic links', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    await symlink(join(folder, 'a.png'), join(folder, 'b.png'));
    expect((await all(screenshots(folder))).map(({ name }) => name)).toEqual(['a.png', 'b.png']);
  });

  it.each<[string, Record<string, string>, string[], string[]]>([
    ['to its own folder', { self: '.' }, ['a/1.png'], ['a/1.png']],
    ['to a folder above', { 'a/up': '..' }, ['0.png', 'a/1.png'], ['0.png', 'a/1.png']],
    ['to each other', { 'a/b': '../b', 'b/a': '../a' }, ['a/1.png', 'b/2.png'], ['a/1.png', 'b/2.png']],
    ['through a folder without images', { 'a/b': '../b', 'b/a': '../a' }, ['b/2.png'], ['b/2.png']],
    ['beside a link that is in none', { 'a/up': '..', c: 'b' }, ['a/1.png', 'b/2.png'], ['a/1.png', 'b/2.png', 'c/2.png']],
  ])('takes each file of a loop of links once: %s', async (_case, links, files, names) => {
    const folder = await folderOf({ ...Object.fromEntries(files.map((name) => [name, 'x'])), 'a/notes.txt': 'x' });
    for (const [link, target] of Object.entries(links)) await symlink(target, join(folder, link));
    expect((await all(screenshots(folder))).map(({ name }) => name)).toEqual(names);
  });

  it('takes patterns of what to take and what to leave out', async () => {
    const folder = await folderOf({ 'a.png': 'x', 'a-diff.png': 'x', 'b.bmp': 'x' });
    const found = await all(screenshots(folder, { include: ['*.png', '*.bmp'], exclude: ['*-diff.png'] }));
    expect(found.map(({ name, contentType }) => [name, contentType])).toEqual([
      ['a.png', 'image/png'],
      ['b.bmp', 'application/octet-stream'],
    ]);
  });

  it('looks anew at each subscription', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    const found$ = screenshots(folder);
    expect(await all(found$)).toHaveLength(1);
    await writeFile(join(folder, 'b.png'), 'x');
    expect(await all(found$)).toHaveLength(2);
  });

  it('says what it looked for where nothing matches', async () => {
    const folder = await folderOf({ 'a.txt': 'x' });
    const error = await errorOf(screenshots(folder, { exclude: ['old/**'] }));
    expect(isUsageError(error)).toBe(true);
    expect((error as Error).message).toBe(`No images in ${folder}: looked for **/*.{png,jpg,jpeg,webp,gif,avif}, without old/**`);
  });

  it('calls what matches no patterns of its own files, not images', async () => {
    const folder = await folderOf({ 'a.txt': 'x' });
    expect(String(await errorOf(screenshots(folder, { include: ['**/*.pdf'] })))).toBe(
      `UsageError: No files in ${folder}: looked for **/*.pdf`,
    );
  });

  it.each([undefined, null, 5, ''])('refuses %o, which is no path', async (dir) => {
    const error = await errorOf(screenshots(dir as string));
    expect(isUsageError(error) && error.message).toMatch(/^screenshots: dir is (undefined|null|5|''); give a folder's path$/);
  });

  it('refuses what is no folder', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    expect(String(await errorOf(screenshots(join(folder, 'nope'))))).toBe(`UsageError: The folder ${join(folder, 'nope')} does not exist`);
    expect(String(await errorOf(screenshots(join(folder, 'a.png'))))).toMatch(/a\.png is a file; give the folder/);
  });
});

describe('screenshots, with side-car files', () => {
  it('takes metadata, threshold, base name and parent name from the file beside an image', async () => {
    const sidecar = { url: 'https://app.test/', transient: { threshold: 0.1, baseName: 'b', parentName: null } };
    const folder = await folderOf({
      'x/a.png': 'x',
      'x/a.png.argos.json': JSON.stringify(sidecar),
      'b.png.argos.json': '{}',
      'b.png': 'x',
    });
    expect(await all(screenshots(folder))).toEqual([
      { path: join(folder, 'b.png'), name: 'b.png', contentType: 'image/png' },
      {
        ...{ path: join(folder, 'x/a.png'), name: 'x/a.png', contentType: 'image/png' },
        ...{ metadata: { url: 'https://app.test/' }, threshold: 0.1, baseName: 'b' },
      },
    ]);
  });

  it.each([
    ['{', ' is not JSON: '],
    ['[]', ' holds no JSON object'],
    ['{"transient":{"threshold":2}}', ': transient.threshold is no number from 0 to 1'],
    ['{"transient":{"baseName":[1]}}', ': transient.baseName is no name, nor a list of names'],
    ['{"transient":{"parentName":1}}', ': transient.parentName is no name'],
  ])('names a side-car file that makes no sense: %s', async (text, message) => {
    const folder = await folderOf({ 'a.png': 'x', 'a.png.argos.json': text });
    const error = await errorOf(screenshots(folder));
    expect(isUsageError(error) && error.message).toContain(`a.png.argos.json${message}`);
  });

  it('finds nothing in an empty folder where that is allowed', async () => {
    expect(await all(screenshots(await folderOf(), { allowEmpty: true }))).toEqual([]);
  });
});
