import { inspect } from 'node:util';
import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  mergeMap,
  type Observable,
  type ObservableInput,
  of,
  throwError,
  toArray,
} from 'rxjs';
import { UsageError } from '../../request/errors/UsageError.js';
import { inspectFile } from '../files/inspectFile.js';
import type { Screenshot } from '../Screenshot.js';
import type { InspectedFile } from '../UploadTarget.js';
import type { UploadJob } from './UploadJob.js';

/** Files to upload, from any source. */
export type Screenshots = ObservableInput<Screenshot>;

/** Files inspected at once. */
const AT_ONCE = 16;
/** Files that a message names. */
const NAMED = 5;

/** A file, and its place among all. */
export interface PlacedFile<File extends Screenshot> {
  readonly index: number;
  readonly file: File;
}

/**
 * Inspects every file, so that files which cannot be sent are named before anything is. It sets the job's number of files before the first
 * of them is emitted.
 *
 * Errors, when all have been inspected: UsageError that names the files that are missing, unreadable, or refused by the target. At once:
 * UsageError for two files of one name.
 */
export function inspecting(job: UploadJob<unknown>, screenshots: Screenshots): Observable<PlacedFile<InspectedFile>> {
  return from(screenshots).pipe(
    toArray(),
    concatMap((found) => {
      checkNames(found);
      job.files = found.length;
      const problems: string[] = [];
      const look$ = from(found).pipe(
        mergeMap((file, index) => look(job, file, index).pipe(catchError((error: unknown) => note(problems, error))), AT_ONCE),
      );
      return concat(
        look$,
        defer(() => (problems.length > 0 ? throwError(() => new UsageError(named(problems))) : EMPTY)),
      );
    }),
  );
}

function look({ target }: UploadJob<unknown>, file: Screenshot, index: number): Observable<PlacedFile<InspectedFile>> {
  return defer(() => inspectFile(file.path)).pipe(
    concatMap((stamp) => {
      const inspected = { ...file, stamp };
      const problem = target.refuse?.(inspected);
      return problem === undefined ? of({ index, file: inspected }) : throwError(() => new UsageError(problem));
    }),
  );
}

function note(problems: string[], error: unknown): Observable<never> {
  problems.push(error instanceof Error ? error.message : String(error));
  return EMPTY;
}

function named(problems: readonly string[]): string {
  const more = problems.length - NAMED;
  return `${problems.slice(0, NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''} (nothing was sent)`;
}

function checkNames(screenshots: readonly Screenshot[]): void {
  const odd = screenshots.findIndex((file) => !isScreenshot(file));
  if (odd >= 0) {
    const shown = inspect(screenshots[odd], { breakLength: Infinity });
    throw new UsageError(`uploadBuild: a file is ${shown}; give a Screenshot, { path, name, contentType }, as screenshots(dir) does`);
  }
  const names = new Set<string>();
  for (const { name } of screenshots) {
    if (names.has(name)) throw new UsageError(`Two files are named ${name}; a name is unique in a build`);
    names.add(name);
  }
}

function isScreenshot(value: unknown): value is Screenshot {
  const { path, name, contentType } = Object(value) as Partial<Record<keyof Screenshot, unknown>>;
  return [path, name, contentType].every((field) => typeof field === 'string');
}
