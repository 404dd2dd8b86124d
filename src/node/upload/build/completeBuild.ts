import { catchError, concatMap, defer, from, type Observable } from 'rxjs';
import type { HttpClient } from '../../../client/HttpClient.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import { randomId } from '../../../request/randomId.js';
import { REQUEST_ID_HEADER } from '../../buildClient.js';
import type { Build } from '../../UploadBuildEvent.js';
import { UploadError } from '../../UploadError.js';
import type { UploadPart } from '../../UploadTarget.js';
import { describeApiFailure, hasStatus, isRefusal } from './apiFailures.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';
import { screenshotBatches } from './screenshotBatches.js';
import { shardOf } from './createBuildBody.js';

/**
 * Registers the screenshots of a part with the API, in as many requests as it takes, one after the other; the last one completes the build,
 * or the shard. Each may be sent again: the API takes a repetition as one, also when the build is finalised by then.
 */
export function completeBuild(http: HttpClient, options: ResolvedBuildOptions, part: UploadPart, { id }: Build): Observable<HttpEvent> {
  return defer(() => {
    const bodies = completeBuildBodies(options, part);
    return from(bodies).pipe(
      concatMap((body, index) => {
        // Id of a shard without a number, the same in a run that resumes it.
        const requestId = part.index === 1 && index === 0 ? part.uploadId : randomId();
        const headers = { [REQUEST_ID_HEADER]: requestId };
        return http.put(`builds/${encodeURIComponent(id)}`, body, { observe: 'events', retry: options.retry, headers });
      }),
    );
  }).pipe(
    catchError((cause: unknown) => {
      const reason = describeApiFailure(cause);
      const remedy = completeRemedy(cause, shardOf(options, part) !== undefined);
      throw new UploadError(`The files are sent, but the build could not be completed: ${reason}; ${remedy}`, 'complete', true, { cause });
    }),
  );
}

function completeRemedy(cause: unknown, isParallel: boolean): string {
  if (hasStatus(cause, 409)) return 'it was finalised without these files: give the shards of each run a nonce of their own';
  if (isParallel || isRefusal(cause)) return 'upload again: nothing is sent twice';
  return 'it may be complete all the same: look before you upload again';
}

/** Bodies of the requests `PUT builds/{id}` of a part, in their order; the last of them completes the build, or the shard. */
export function completeBuildBodies(options: ResolvedBuildOptions, part: UploadPart): readonly object[] {
  const shard = shardOf(options, part);
  const batches = screenshotBatches(part.files);
  return batches.map((screenshots, index) => {
    const isLast = index === batches.length - 1 && (shard?.isLast ?? true);
    return {
      screenshots,
      parallel: shard ? true : null,
      parallelTotal: shard?.total ?? null,
      parallelIndex: shard?.index ?? null,
      // A shard without an index is recognized by the id of one request.
      final: isLast || shard?.index === null,
      metadata: isLast ? (options.metadata ?? null) : null,
    };
  });
}
