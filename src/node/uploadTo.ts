import { inspect } from 'node:util';
import { concat, defer, EMPTY, finalize, merge, NEVER, type Observable, type ObservableInput, of, takeUntil, takeWhile, tap } from 'rxjs';
import { requireThat } from '../request/checkOptions.js';
import { wait } from '../time.js';
import type { Screenshot } from './Screenshot.js';
import type { UploadBuildEvent } from './UploadBuildEvent.js';
import type { UploadTarget } from './UploadTarget.js';
import { completing } from './upload/completing.js';
import { hashing } from './upload/hashing.js';
import type { HashedPart } from './upload/PartSorter.js';
import { preparing } from './upload/preparing.js';
import { resolveUploadOptions } from './upload/resolveUploadOptions.js';
import { sending } from './upload/sending.js';
import { stage } from './upload/stage.js';
import { UploadJob } from './upload/UploadJob.js';
import type { UploadOptions } from './UploadOptions.js';

/**
 * Uploads files to a target of your own, like `uploadBuild` to the build API: reads them, asks which the target lacks, sends those,
 * completes. Cold: each subscription is one upload; unsubscribing stops it at once, in an attempt and in a wait.
 *
 *     hashed... created (progress | wait | done | failed)... completed summary
 *
 * Files are looked at before anything is sent. From then on reading, asking and sending go on side by side where the target's `partSize` makes
 * several parts. A file that fails does not stop the others, but then nothing is completed: `summary.completed` is false. `maxFailures`, `deadline`,
 * `abort$` and `allowMissing` say otherwise.
 *
 * Errors: `UsageError` for files that cannot be sent (named, and nothing is sent then) and for bad options; whatever `prepare` and `complete` fail with.
 *
 * @param files what to upload, `screenshots(dir)` say
 *
 * @example
 * uploadTo(archive, screenshots('shots'), { concurrency: 4 }).subscribe((event) => {
 *   if (event.type === 'summary') console.log(`${event.arrived} of ${event.files} arrived`);
 * });
 */
export function uploadTo<Permit>(
  target: UploadTarget<Permit>,
  files: ObservableInput<Screenshot>,
  options: UploadOptions = {},
): Observable<UploadBuildEvent> {
  return defer(() => {
    // A path is iterable, too, letter by letter: it is refused.
    requireThat(
      typeof files === 'object' && (files as unknown) !== null,
      'uploadBuild',
      'files',
      inspect(files),
      'screenshots(dir), or a list',
    );
    const job = new UploadJob(target, resolveUploadOptions(options));
    const prepared$ = hashing(job, files).pipe(stage('part', (part: HashedPart) => preparing(job, part), 1));
    const sent$ = prepared$.pipe(
      stage('lacking', sending(job), job.options.concurrency),
      takeWhile((event) => event.type !== 'failed' || job.stopped === undefined, true),
    );
    const upload$ = concat(
      concat(
        sent$,
        defer(() => (job.mayComplete ? completing(job) : EMPTY)),
      ).pipe(takeUntil(halts(job))),
      defer(() => of(job.summary())),
    );
    return upload$.pipe(finalize(() => job.journal?.close()));
  });
}

/** Emits when an upload is aborted, or its deadline passes. */
function halts(job: UploadJob<unknown>): Observable<unknown> {
  const { deadline, abort$ = NEVER } = job.options;
  return merge(
    abort$.pipe(tap(() => (job.halted = 'aborted'))),
    deadline === undefined ? NEVER : wait(deadline).pipe(tap(() => (job.halted = 'deadline'))),
  );
}
