import { catchError, concatMap, defer, EMPTY, type Observable, of, throwError } from 'rxjs';
import type { HttpClient } from '../client/HttpClient.js';
import { requireThat } from '../request/checkOptions.js';
import { isUsageError } from '../request/errors/UsageError.js';
import type { HttpEvent, WaitEvent } from '../request/HttpEvent.js';
import { randomId } from '../request/randomId.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import { REQUEST_ID_HEADER } from './buildClient.js';
import { describeApiFailure } from './upload/build/apiFailures.js';
import { LAST_OF_CONNECTION } from './upload/build/beforeSending.js';
import { isBuild } from './upload/build/isBuild.js';
import type { Build } from './UploadBuildEvent.js';
import { UploadError } from './UploadError.js';
import { uploadPolicy } from './uploadPolicy.js';

/** Options of {@link finalizeBuilds}. */
export interface FinalizeOptions {
  /** Nonce of the shards. */
  readonly nonce: string;
  /** Policy by which the request is retried, {@link uploadPolicy} by default: it may be repeated. */
  readonly retry?: RetryPolicyInput<HttpEvent> | undefined;
}

/** The builds of a nonce are complete. */
export interface FinalizedEvent {
  readonly type: 'finalized';
  /** Builds of the nonce, including those that were complete before; none where no shard has arrived. */
  readonly builds: readonly Build[];
}

/**
 * Completes the parallel builds of a nonce, whichever of their shards have arrived: for shards with a total of -1. It may be repeated.
 * Cold; emits the waits, then `finalized`.
 *
 * Errors: `UsageError` for an invalid nonce, `UploadError` where the API refuses.
 *
 * @example
 * finalizeBuilds(http, { nonce: process.env.GITHUB_RUN_ID ?? '' }).subscribe((event) => {
 *   if (event.type === 'finalized') console.log(event.builds.map(({ url }) => url));
 * });
 */
export function finalizeBuilds(http: HttpClient, { nonce, retry = uploadPolicy }: FinalizeOptions): Observable<WaitEvent | FinalizedEvent> {
  return defer(() => {
    const isText = typeof (nonce as unknown) === 'string' && nonce.trim() !== '';
    requireThat(isText, 'finalizeBuilds', 'nonce', JSON.stringify(nonce), 'the one that the shards share');
    return http.post(
      'builds/finalize',
      { parallelNonce: nonce },
      { observe: 'events', retry, headers: { [REQUEST_ID_HEADER]: randomId(), ...LAST_OF_CONNECTION } },
    );
  }).pipe(
    concatMap((event): Observable<WaitEvent | FinalizedEvent> => {
      if (event.type === 'wait') return of(event);
      if (event.type !== 'response') return EMPTY;
      const { builds } = (event.body ?? {}) as { builds?: unknown };
      if (!Array.isArray(builds) || !builds.every(isBuild))
        throw new UploadError('The answer is not that of the build API; check the URL', 'complete', true);
      return of({ type: 'finalized', builds: builds.map(({ id, url }) => ({ id, url })) });
    }),
    catchError((cause: unknown) => throwError(() => finalizeFailure(cause))),
  );
}

function finalizeFailure(cause: unknown): unknown {
  if (isUsageError(cause) || cause instanceof UploadError) return cause;
  return new UploadError(`The builds were not finalised: ${describeApiFailure(cause)}; it may be repeated`, 'complete', true, {
    cause,
  });
}
