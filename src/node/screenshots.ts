import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { concatAll, defer, type Observable } from 'rxjs';
import { requireThat } from '../request/checkOptions.js';
import { UsageError } from '../request/errors/UsageError.js';
import { contentTypeOf, IMAGE_TYPES } from './files/inspectFile.js';
import { fileProblem } from './files/fileErrors.js';
import { readSidecar, SIDECAR } from './files/readSidecar.js';
import { slots } from './files/slots.js';
import { withoutLoops } from './files/withoutLoops.js';
import type { Screenshot } from './Screenshot.js';

/** Options of {@link screenshots}. */
export interface ScreenshotsOptions {
  /** Glob patterns of the files to take, below the folder; by default every image (png, jpg, jpeg, webp, gif, avif). */
  readonly include?: readonly string[] | undefined;
  /** Glob patterns of the files to leave out. */
  readonly exclude?: readonly string[] | undefined;
  /** True if a folder without images is accepted, as for a shard that had nothing to do; by default it is an error. */
  readonly allowEmpty?: boolean | undefined;
}

/** Side-car files read at once. */
const READERS = 16;
const IMAGES = [`**/*.{${Object.keys(IMAGE_TYPES).join(',')}}`];

/**
 * Finds the images in a folder and the folders below it, sorted by name; hidden files and folders are left out, symbolic links are
 * followed, and folders in a loop of them looked into once. Cold: each subscription looks anew.
 *
 * A side-car file beside an image, `home.png.argos.json` for `home.png`, holds its metadata, threshold, base name and parent name, as the SDKs of test
 * frameworks write it.
 *
 * @param dir the folder; a relative one is below the working directory
 * @returns an observable of files; it fails with a UsageError for what is no folder, when no file matches, and for a side-car file that is not JSON
 *
 * @example
 * uploadBuild(http, screenshots('test-results', { exclude: ['**' + '/*-diff.png'] }), { commit, branch }).subscribe((event) => show(event));
 */
export function screenshots(
  dir: string,
  { include = IMAGES, exclude = [], allowEmpty = false }: ScreenshotsOptions = {},
): Observable<Screenshot> {
  return defer(async () => {
    requireThat(typeof (dir as unknown) === 'string' && dir !== '', 'screenshots', 'dir', inspect(dir), "a folder's path");
    const folder = resolve(dir);
    const stats = await stat(folder).catch((cause: unknown) => {
      throw fileProblem(`The folder ${dir}`, cause);
    });
    if (!stats.isDirectory()) throw new UsageError(`${dir} is a file; give the folder that holds it`);
    const names = await find(folder, include, exclude);
    if (names.length === 0 && !allowEmpty)
      throw new UsageError(
        `No ${include === IMAGES ? 'images' : 'files'} in ${dir}: looked for ${[...include].join(', ')}${without(exclude)}`,
      );
    const sidecars = new Set(await find(folder, [`**/*${SIDECAR}`], []));
    const found = await withoutLoops(folder, names.sort(byCodeUnit));
    const read = slots(READERS);
    const files = found.map((name): Screenshot => ({ path: join(folder, name), name, contentType: contentTypeOf(name) }));
    // Most images have no side-car file: promises for each of many would take more memory than all the rest.
    const described = [...files.entries()].filter(([, { name }]) => sidecars.has(`${name}${SIDECAR}`));
    await Promise.all(
      described.map(async ([index, file]) => {
        files[index] = { ...file, ...(await read(() => readSidecar(`${file.path}${SIDECAR}`))) };
      }),
    );
    return files;
  }).pipe(concatAll());
}

async function find(folder: string, include: readonly string[], exclude: readonly string[]): Promise<string[]> {
  // A bundle of CommonJS fails where this package is loaded, so only those who look for files load it.
  const { glob } = await import('tinyglobby');
  return glob([...include], { cwd: folder, ignore: [...exclude], dot: false, caseSensitiveMatch: false, expandDirectories: false });
}

function without(exclude: readonly string[]): string {
  return exclude.length === 0 ? '' : `, without ${exclude.join(', ')}`;
}

/** Names are sorted by code unit: the same order on every machine, whatever its language. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
