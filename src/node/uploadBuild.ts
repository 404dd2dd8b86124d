import { defer, type Observable, type ObservableInput } from 'rxjs';
import type { HttpClient } from '../client/HttpClient.js';
import type { Screenshot } from './Screenshot.js';
import { buildTarget } from './upload/build/buildTarget.js';
import type { UploadBuildEvent } from './UploadBuildEvent.js';
import type { UploadBuildOptions } from './UploadBuildOptions.js';
import { uploadTo } from './uploadTo.js';

/**
 * Uploads screenshots as one build: reads them, asks for a build, sends the files that the server lacks, completes the build. Cold: each
 * subscription is one upload; unsubscribing stops it at once, in an attempt and in a wait.
 *
 *     hashed... created (progress | wait | done | failed)... completed summary
 *
 * Files stream from disk, `concurrency` at once; equal bytes are sent once. A file that fails does not stop the others, but then the build
 * is not completed: `summary.completed` is false, and a second upload sends only what is missing. A 429 on one request holds the others
 * where the client paces (as `buildClient` does unless told not to).
 *
 * With `parallel` it uploads one shard of a build that several jobs make together; without files, too. More than 5,000 files become shards of one
 * parallel build by themselves: then reading, asking and sending go on side by side.
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
  return defer(() => uploadTo(buildTarget(http, options), files, options));
}
