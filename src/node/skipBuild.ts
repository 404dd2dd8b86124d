import { catchError, concatMap, defer, EMPTY, type Observable, of, throwError } from 'rxjs';
import type { HttpClient } from '../client/HttpClient.js';
import type { WaitEvent } from '../request/HttpEvent.js';
import { randomId } from '../request/randomId.js';
import { REQUEST_ID_HEADER } from './buildClient.js';
import { beforeSending, LAST_OF_CONNECTION } from './upload/build/beforeSending.js';
import { skippedBuildBody } from './upload/build/createBuildBody.js';
import { createFailure } from './upload/build/apiFailures.js';
import { isBuild } from './upload/build/isBuild.js';
import { resolveBuildOptions } from './upload/build/resolveBuildOptions.js';
import type { Build } from './UploadBuildEvent.js';
import type { UploadBuildOptions } from './UploadBuildOptions.js';
import { UploadError } from './UploadError.js';

/** A build was created that is marked as skipped. */
export interface SkippedEvent {
  readonly type: 'skipped';
  readonly build: Build;
}

/**
 * Creates a build that is marked as skipped: it has no screenshots, and its status is that of success. For runs that had nothing to upload
 * where a status is required all the same. Cold; emits the waits, then `skipped`.
 *
 * Errors: `UsageError` for bad options, `UploadError` where no build was created.
 *
 * @example
 * skipBuild(http, { commit, branch: 'main' }).subscribe((event) => console.log(event.type));
 */
export function skipBuild(http: HttpClient, given: UploadBuildOptions): Observable<WaitEvent | SkippedEvent> {
  return defer(() => {
    const options = resolveBuildOptions(given);
    const body = skippedBuildBody(options);
    const headers = { [REQUEST_ID_HEADER]: randomId(), ...LAST_OF_CONNECTION };
    return http.post('builds', body, { observe: 'events', retry: beforeSending(options.retry), headers });
  }).pipe(
    concatMap((event): Observable<WaitEvent | SkippedEvent> => {
      if (event.type === 'wait') return of(event);
      if (event.type !== 'response') return EMPTY;
      const { build } = (event.body ?? {}) as { build?: unknown };
      if (!isBuild(build))
        throw new UploadError('The API made a build, but its answer is not that of the build API; check the URL', 'create', true);
      return of({ type: 'skipped', build: { id: build.id, url: build.url } });
    }),
    catchError((error: unknown) => throwError(() => createFailure(error, false))),
  );
}
