import { catchError, concatMap, defer, type Observable, of, throwError } from 'rxjs';
import type { HttpClient } from '../../../client/HttpClient.js';
import { UsageError } from '../../../request/errors/UsageError.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import { randomId } from '../../../request/randomId.js';
import { REQUEST_ID_HEADER } from '../../buildClient.js';
import type { Build } from '../../UploadBuildEvent.js';
import { UploadError } from '../../UploadError.js';
import type { PreparedUpload, UploadPart } from '../../UploadTarget.js';
import { describeFailure } from '../describeFailure.js';
import { beforeSending, LAST_OF_CONNECTION } from './beforeSending.js';
import { createBuildBody, type Shard, shardOf } from './createBuildBody.js';
import { createFailure, hasStatus, isRefusal } from './apiFailures.js';
import { isBuild } from './isBuild.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';
import { screenshotBatches } from './screenshotBatches.js';
import { isUploadForm, type UploadForm } from './UploadForm.js';

type Answer = HttpEvent | PreparedUpload<UploadForm>;

/**
 * Asks the API for a build, and for permits to send the files that it lacks. For a parallel build the request may be repeated: its nonce
 * leads to the same build. Otherwise it is sent again where it was refused (429) or never left, and fails elsewhere, since a second request
 * could create a second build.
 */
export function createBuild(http: HttpClient, options: ResolvedBuildOptions, part: UploadPart): Observable<Answer> {
  return defer(() => {
    const shard = shardOf(options, part);
    if (shard) checkRequests(shard, part);
    const created$ = http
      .post('builds', createBuildBody(options, part, shard), {
        observe: 'events',
        retry: shard ? options.retry : beforeSending(options.retry),
        headers: { [REQUEST_ID_HEADER]: randomId(), ...(shard ? {} : LAST_OF_CONNECTION) },
      })
      .pipe(concatMap((event): Observable<Answer> => (event.type === 'response' ? of(event, readAnswer(event.body)) : of(event))));
    if (!shard) return created$;
    return created$.pipe(
      catchError((error: unknown) =>
        hasStatus(error, 409)
          ? findFinalized(http, options, { nonce: shard.nonce, earlierBuild: part.earlierBuild, cause: error })
          : throwError(() => error),
      ),
    );
  }).pipe(
    catchError((error: unknown) => {
      throw createFailure(error, shardOf(options, part) !== undefined);
    }),
  );
}

/** A shard without an index is recognized by one request, so it must have exactly one. */
function checkRequests({ index, total }: Shard, part: UploadPart): void {
  if (index !== null || total === -1) return;
  if (part.total > 1 || screenshotBatches(part.files).length > 1) {
    throw new UsageError(
      `The names of ${part.files.length} screenshots take several requests, which only a numbered shard may send; give parallel.index`,
    );
  }
}

/**
 * The build of a nonce that takes no more shards: that of an earlier run, else the complete build of the commit. It is taken to lack
 * nothing: completing shows whether it has the very same files, as after a shard that runs twice.
 */
function findFinalized(
  http: HttpClient,
  { commit, name, mode, retry }: ResolvedBuildOptions,
  { nonce, earlierBuild, cause }: { readonly nonce: string; readonly earlierBuild: Build | undefined; readonly cause: unknown },
): Observable<Answer> {
  if (earlierBuild) return of(prepared(earlierBuild, []));
  return http.post('baseline', { commits: [commit], name: name ?? null, mode }, { observe: 'events', retry }).pipe(
    concatMap((event): Observable<Answer> => {
      if (event.type !== 'response') return of(event);
      const { baseline } = (event.body ?? {}) as { baseline?: unknown };
      if (!isBuild(baseline)) throw finalizedAlready(nonce, cause);
      return of(event, prepared(baseline, []));
    }),
    catchError((error: unknown) => throwError(() => (isForGood(error) ? finalizedAlready(nonce, cause) : error))),
  );
}

/** True if the API never lists the builds of a commit. */
function isForGood(error: unknown): boolean {
  return isRefusal(error) && !hasStatus(error, 401) && !hasStatus(error, 429);
}

function finalizedAlready(nonce: string, cause: unknown): UploadError {
  return new UploadError(
    `The build of the nonce ${JSON.stringify(nonce)} is finalised, and takes no more files: ${describeFailure(cause)}; give the shards of each run a nonce of their own`,
    'create',
    true,
    { cause },
  );
}

function readAnswer(body: unknown): PreparedUpload<UploadForm> {
  const { build, screenshots } = (body ?? {}) as { build?: unknown; screenshots?: unknown };
  if (!isBuild(build) || !Array.isArray(screenshots) || !screenshots.every(isUploadForm)) {
    throw new UploadError('The API made a build, but its answer is not that of the build API; check the URL', 'create', true);
  }
  return prepared(build, screenshots);
}

function prepared({ id, url }: Build, forms: readonly UploadForm[]): PreparedUpload<UploadForm> {
  return { type: 'prepared', build: { id, url }, permits: new Map(forms.map((form) => [form.key, form])) };
}
