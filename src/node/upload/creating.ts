import { catchError, concatMap, defer, EMPTY, type Observable, of } from 'rxjs';
import { isDeadlineError } from '../../request/errors/DeadlineError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import { isLimiterError } from '../../request/errors/LimiterError.js';
import { isNetworkError } from '../../request/errors/NetworkError.js';
import { isUsageError } from '../../request/errors/UsageError.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import { isObject } from '../../request/isObject.js';
import { randomId } from '../../request/randomId.js';
import type { Failure } from '../../retry/Failure.js';
import { policies } from '../../retry/policies.js';
import type { RetryPolicyInput } from '../../retry/RetryPolicy.js';
import { REQUEST_ID_HEADER } from '../buildClient.js';
import type { Build, CreatedEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import { UploadError } from '../UploadError.js';
import { describeFailure, withAttempts } from './describeFailure.js';
import type { OpenBuild, UploadForm, UploadJob } from './UploadJob.js';

/**
 * Asks the API for a build, and for permits to send what it lacks. The request is not idempotent: it is sent again where it was refused (429)
 * or never left, and fails otherwise, since a second one could make a second build.
 *
 * @param reason why it is asked: for the first time, or because permits expired
 */
export function creating(job: UploadJob, reason: CreatedEvent['reason'] = 'new'): Observable<CreatedEvent | UploadWaitEvent> {
  return defer(() =>
    job.http.post('builds', requestBody(job), {
      observe: 'events',
      retry: beforeSending(job.options.retry),
      headers: { [REQUEST_ID_HEADER]: randomId() },
    }),
  ).pipe(
    job.ledger.enter(),
    concatMap((event): Observable<CreatedEvent | UploadWaitEvent> => {
      if (event.type === 'wait') return of(job.waits(event, 'create'));
      if (event.type !== 'response') return EMPTY;
      job.open = readAnswer(event.body);
      const missing = job.images.filter(([{ key }]) => job.open.forms.has(key));
      const missingBytes = missing.reduce((sum, [{ stamp }]) => sum + stamp.bytes, 0);
      return of({ type: 'created', build: job.open.build, reason, missing: missing.length, missingBytes });
    }),
    catchError((error: unknown) => {
      throw failure(error);
    }),
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

function requestBody({ images, options: { commit, branch, name, mode, details = {} } }: UploadJob): object {
  return {
    commit,
    branch,
    name: name ?? null,
    mode,
    parallel: null,
    parallelNonce: null,
    screenshots: images.map(([{ key, contentType }]) => ({ key, contentType })),
    pwTraceKeys: [],
    prNumber: details.prNumber ?? null,
    prHeadCommit: details.prHeadCommit ?? null,
    referenceBranch: details.referenceBranch ?? null,
    referenceCommit: details.referenceCommit ?? null,
    parentCommits: details.parentCommits ?? null,
    argosSdk: null,
    ciProvider: details.ciProvider ?? null,
    runId: details.runId ?? null,
    runAttempt: details.runAttempt ?? null,
    mergeQueue: null,
    mergeQueuePrNumbers: null,
    subset: details.subset ?? null,
  };
}

function readAnswer(body: unknown): OpenBuild {
  const { build, screenshots } = (body ?? {}) as { build?: unknown; screenshots?: unknown };
  if (!isBuild(build) || !Array.isArray(screenshots) || !screenshots.every(isForm)) {
    throw new UploadError('The API made a build, but its answer is not that of the build API; check the URL', 'create', true);
  }
  return { build: { id: build.id, url: build.url }, forms: new Map(screenshots.map((form) => [form.key, form])) };
}

function isBuild(value: unknown): value is Build {
  const { id, url } = (value ?? {}) as Partial<Record<keyof Build, unknown>>;
  return typeof id === 'string' && typeof url === 'string';
}

function isForm(value: unknown): value is UploadForm {
  const { key, postUrl, fields } = (value ?? {}) as Partial<Record<keyof UploadForm, unknown>>;
  return (
    typeof key === 'string' &&
    typeof postUrl === 'string' &&
    isObject(fields) &&
    Object.values(fields).every((value) => ['string', 'number', 'boolean'].includes(typeof value))
  );
}

function failure(cause: unknown): unknown {
  if (isUsageError(cause) || cause instanceof UploadError) return cause;
  const buildMayExist = !(isRefusal(cause) || isDeadlineError(cause) || isLimiterError(cause) || isUnsent(cause));
  const warning = buildMayExist ? '; a build may exist all the same: look before you upload again' : '';
  return new UploadError(`No build was created: ${withAttempts(describeFailure(cause), cause)}${warning}`, 'create', buildMayExist, {
    cause,
  });
}

/** An answer that says that nothing was done. */
function isRefusal(error: unknown): boolean {
  return isHttpError(error) && error.status >= 400 && error.status < 500 && error.status !== 408;
}
