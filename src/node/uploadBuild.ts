import { inspect } from 'node:util';
import { concat, defer, EMPTY, type Observable, type ObservableInput, of } from 'rxjs';
import type { HttpClient } from '../client/HttpClient.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { Screenshot } from './Screenshot.js';
import type { UploadBuildEvent } from './UploadBuildEvent.js';
import type { UploadBuildOptions } from './UploadBuildOptions.js';
import { completing } from './upload/completing.js';
import { creating } from './upload/creating.js';
import { hashing } from './upload/hashing.js';
import { resolveOptions } from './upload/resolveOptions.js';
import { sending } from './upload/sending.js';
import { UploadJob } from './upload/UploadJob.js';

/**
 * Uploads screenshots as one build: reads them, asks for a build, sends what the server lacks, completes the build. Cold: each subscription
 * is one upload; unsubscribing stops it at once, in an attempt and in a wait.
 *
 *     hashed... created (progress | wait | done | failed)... completed summary
 *
 * Files stream from disk, `concurrency` at once; equal bytes are sent once. A file that fails does not stop the others, but then the build
 * is not completed: `summary.completed` is false, and a second upload sends only what is missing. A 429 on one request holds the others
 * where the client paces (as `buildClient` does unless told not to).
 *
 * Errors: `UsageError` for files that cannot be sent (named, and nothing is sent then) and for bad options; `UploadError` when the build
 * could not be created (it says whether one may exist) or completed.
 *
 * @param http a client of the build API, see `buildClient`
 * @param files what to upload, `screenshots(dir)` say; none at all is a build without screenshots
 *
 * @example
 * const http = buildClient({ token });
 * uploadBuild(http, screenshots('shots'), { commit, branch: 'main' }).subscribe((event) => {
 *   if (event.type === 'failed') console.error(`${event.path}: ${event.reason}`);
 *   if (event.type === 'summary') console.log(`${event.arrived} of ${event.files} arrived: ${event.build.url}`);
 * });
 */
export function uploadBuild(
  http: HttpClient,
  files: ObservableInput<Screenshot>,
  options: UploadBuildOptions,
): Observable<UploadBuildEvent> {
  return defer(() => {
    checkArguments(http, files);
    const job = new UploadJob(http, resolveOptions(options));
    return concat(
      hashing(job, files),
      creating(job),
      sending(job),
      defer(() => (job.isWhole ? completing(job) : EMPTY)),
      defer(() => of(job.summary(job.isWhole))),
    );
  });
}

function checkArguments(http: Partial<HttpClient> | undefined, files: unknown): void {
  if (typeof http?.post !== 'function') throw new UsageError('uploadBuild: http is no client; give buildClient({ token })');
  // A path is iterable, too: by its letters.
  if (typeof files !== 'object' || files === null)
    throw new UsageError(`uploadBuild: files is ${inspect(files)}; give screenshots(dir), or a list`);
}
