import { catchError, concat, concatMap, defer, EMPTY, from, type Observable, of } from 'rxjs';
import { randomId } from '../../request/randomId.js';
import { REQUEST_ID_HEADER } from '../buildClient.js';
import type { CompletedEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import { UploadError } from '../UploadError.js';
import { describeFailure, withAttempts } from './describeFailure.js';
import { splitByBytes } from './splitByBytes.js';
import type { HashedFile, UploadJob } from './UploadJob.js';

/** Bytes of JSON a request; the API takes 3 MB. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * Tells the API which screenshots the build has, in as many requests as it takes, one after the other; the last one completes the build.
 * Nothing to tell is one request, too. Each may be sent again: the API takes a repetition as one.
 */
export function completing(job: UploadJob): Observable<UploadWaitEvent | CompletedEvent> {
  return defer(() => {
    const { build } = job.open;
    const batches = splitByBytes(job.files.map(entry), MOST_BYTES);
    const requests$ = from(batches).pipe(concatMap((screenshots, index) => put(job, screenshots, index === batches.length - 1)));
    return concat(requests$, of<CompletedEvent>({ type: 'completed', build, requests: batches.length }));
  });
}

function put(job: UploadJob, screenshots: readonly object[], final: boolean): Observable<UploadWaitEvent> {
  const { build } = job.open;
  const body = { screenshots, parallel: null, parallelTotal: null, parallelIndex: null, final, metadata: null };
  return defer(() =>
    job.http.put(`builds/${encodeURIComponent(build.id)}`, body, {
      observe: 'events',
      retry: job.options.retry,
      headers: { [REQUEST_ID_HEADER]: randomId() },
    }),
  ).pipe(
    job.ledger.enter(),
    concatMap((event) => (event.type === 'wait' ? of(job.waits(event, 'complete')) : EMPTY)),
    catchError((cause: unknown) => {
      const reason = withAttempts(describeFailure(cause), cause);
      throw new UploadError(
        `All files arrived, but the build could not be completed: ${reason}; upload again: nothing is sent twice`,
        'complete',
        true,
        { cause },
      );
    }),
  );
}

function entry({ key, name, contentType }: HashedFile): object {
  return { key, name, metadata: null, pwTraceKey: null, threshold: null, baseName: null, parentName: null, contentType };
}
