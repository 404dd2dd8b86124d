import { catchError, concatMap, defer, type Observable, of, throwError } from 'rxjs';
import type { HttpClient } from '../../../client/HttpClient.js';
import { isDeadlineError } from '../../../request/errors/DeadlineError.js';
import { isHttpError } from '../../../request/errors/HttpError.js';
import { isLimiterError } from '../../../request/errors/LimiterError.js';
import { isNetworkError } from '../../../request/errors/NetworkError.js';
import { isUsageError, UsageError } from '../../../request/errors/UsageError.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import { randomId } from '../../../request/randomId.js';
import type { Failure } from '../../../retry/Failure.js';
import { policies } from '../../../retry/policies.js';
import type { RetryPolicyInput } from '../../../retry/RetryPolicy.js';
import { REQUEST_ID_HEADER } from '../../buildClient.js';
import type { Build } from '../../UploadBuildEvent.js';
import { UploadError } from '../../UploadError.js';
import type { Prepared, UploadPart } from '../../UploadTarget.js';
import { describeFailure, withAttempts } from '../describeFailure.js';
import { createBuildBody } from './createBuildBody.js';
import { hasStatus } from './hasStatus.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';
import { screenshotBatches } from './screenshotBatches.js';
import { type Shard, shardOf } from './shardOf.js';
import { isUploadForm, type UploadForm } from './UploadForm.js';

type Answer = HttpEvent | Prepared<UploadForm>;

/**
 * Asks the API for a build, and for permits to send what it lacks. For a parallel build the request may be repeated: its nonce leads to the same
 * build. Otherwise it is sent again where it was refused (429) or never left, and fails elsewhere, since a second one could make a second build.
 */
export function createBuild(http: HttpClient, options: ResolvedBuildOptions, part: UploadPart): Observable<Answer> {
  return defer(() => {
    const shard = shardOf(options, part);
    if (shard) checkRequests(shard, part);
    const created$ = http
      .post('builds', createBuildBody(options, part, shard), {
        observe: 'events',
        retry: shard ? options.retry : beforeSending(options.retry),
        headers: { [REQUEST_ID_HEADER]: randomId() },
      })
      .pipe(concatMap((event): Observable<Answer> => (event.type === 'response' ? of(event, readAnswer(event.body)) : of(event))));
    if (!shard) return created$;
    return created$.pipe(
      catchError((error: unknown) => (hasStatus(error, 409) ? findFinalized(http, options, shard.nonce, error) : throwError(() => error))),
    );
  }).pipe(
    catchError((error: unknown) => {
      throw failure(error, shardOf(options, part) !== undefined);
    }),
  );
}

/** A shard without an index is known by one request, so that it has to do with one. */
function checkRequests({ index, total }: Shard, part: UploadPart): void {
  if (index !== null || total === -1) return;
  if (part.total > 1 || screenshotBatches(part.files).length > 1) {
    throw new UsageError(
      `The names of ${part.files.length} screenshots take several requests, which only a numbered shard may send; give parallel.index`,
    );
  }
}

/**
 * The build of a nonce that takes no more shards, as the complete build of the commit. It lacks nothing as far as is known: completing says whether
 * it has the very files, as after a shard that runs twice.
 */
function findFinalized(
  http: HttpClient,
  { commit, name, mode, retry }: ResolvedBuildOptions,
  nonce: string,
  cause: unknown,
): Observable<Answer> {
  return http.post('baseline', { commits: [commit], name: name ?? null, mode }, { observe: 'events', retry }).pipe(
    concatMap((event): Observable<Answer> => {
      if (event.type !== 'response') return of(event);
      const { baseline } = (event.body ?? {}) as { baseline?: unknown };
      if (!isBuild(baseline)) throw finalizedAlready(nonce, cause);
      return of(event, prepared(baseline, []));
    }),
    catchError((error: unknown) => throwError(() => (isHttpError(error) ? finalizedAlready(nonce, cause) : error))),
  );
}

function finalizedAlready(nonce: string, cause: unknown): UploadError {
  return new UploadError(
    `The build of the nonce ${JSON.stringify(nonce)} is finalised, and takes no more files: ${describeFailure(cause)}; give the shards of each run a nonce of their own`,
    'create',
    true,
    { cause },
  );
}

/** `policy`, narrowed to what happens before the API has read a request. */
function beforeSending({ rules = policies.standard.rules, ...policy }: RetryPolicyInput<HttpEvent>): RetryPolicyInput<HttpEvent> {
  const harmless = ({ status, error }: Failure): boolean => status === 429 || isUnsent(error);
  return {
    ...policy,
    rules: Object.fromEntries(
      Object.entries(rules).map(([kind, rule]) => [
        kind,
        { ...rule, replay: 'any', matches: (failure: Failure) => harmless(failure) && rule.matches(failure) },
      ]),
    ),
  };
}

function isUnsent(error: unknown): boolean {
  return isNetworkError(error) && error.unsent;
}

function readAnswer(body: unknown): Prepared<UploadForm> {
  const { build, screenshots } = (body ?? {}) as { build?: unknown; screenshots?: unknown };
  if (!isBuild(build) || !Array.isArray(screenshots) || !screenshots.every(isUploadForm)) {
    throw new UploadError('The API made a build, but its answer is not that of the build API; check the URL', 'create', true);
  }
  return prepared(build, screenshots);
}

function prepared({ id, url }: Build, forms: readonly UploadForm[]): Prepared<UploadForm> {
  return { type: 'prepared', build: { id, url }, permits: new Map(forms.map((form) => [form.key, form])) };
}

function isBuild(value: unknown): value is Build {
  const { id, url } = (value ?? {}) as Partial<Record<keyof Build, unknown>>;
  return typeof id === 'string' && typeof url === 'string';
}

function failure(cause: unknown, isParallel: boolean): unknown {
  if (isUsageError(cause) || cause instanceof UploadError) return cause;
  const buildMayExist = !(isRefusal(cause) || isDeadlineError(cause) || isLimiterError(cause) || isUnsent(cause));
  const warning = !buildMayExist
    ? ''
    : isParallel
      ? '; upload again: the nonce leads to the same build'
      : '; a build may exist all the same: look before you upload again';
  return new UploadError(`No build was created: ${withAttempts(describeFailure(cause), cause)}${warning}`, 'create', buildMayExist, {
    cause,
  });
}

/** An answer that says that nothing was done. */
function isRefusal(error: unknown): boolean {
  return isHttpError(error) && error.status >= 400 && error.status < 500 && error.status !== 408;
}
