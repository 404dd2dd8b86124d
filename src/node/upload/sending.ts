import { catchError, concat, concatMap, defer, EMPTY, from, ignoreElements, mergeMap, type Observable, of, share, throwError } from 'rxjs';
import { isHttpError } from '../../request/errors/HttpError.js';
import type { HttpEvent } from '../../request/HttpEvent.js';
import { ATTEMPT_HEADER, REQUEST_ID_HEADER } from '../buildClient.js';
import { multipartBody } from '../multipartBody.js';
import type { CreatedEvent, DoneEvent, FailedEvent, ProgressEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import { creating } from './creating.js';
import { storageError } from './describeFailure.js';
import type { Image, OpenBuild, UploadForm, UploadJob } from './UploadJob.js';

type SendingEvent = CreatedEvent | DoneEvent | FailedEvent | ProgressEvent | UploadWaitEvent;

/** Fields that are the API's business; object storage, on whichever origin, gets none of them. */
const NOT_FOR_STORAGE = { authorization: null, [REQUEST_ID_HEADER]: null, [ATTEMPT_HEADER]: null };

/**
 * Sends every image that the server lacks, some of them at once. One that fails is told and the others go on. A permit that has expired is
 * renewed, once for all who ask.
 */
export function sending(job: UploadJob): Observable<SendingEvent> {
  return defer(() => {
    const renew = renewal(job);
    const { images } = job;
    const isMissing = ([{ key }]: Image): boolean => job.open.forms.has(key);
    const kept = images.filter((image) => !isMissing(image));
    const missing = images.filter(isMissing);
    return concat(
      from(kept).pipe(concatMap((image) => job.done(image, 'kept', 0))),
      from(missing).pipe(mergeMap((image) => sendImage(job, image, renew), job.options.concurrency)),
    );
  });
}

/** Renews the permits of a build: every caller waits for the same request, and the first one passes its events on. */
function renewal(job: UploadJob): (expired: OpenBuild) => Observable<CreatedEvent | UploadWaitEvent> {
  let under: { readonly expired: OpenBuild; readonly events$: Observable<CreatedEvent | UploadWaitEvent> } | undefined;
  return (expired) => {
    if (job.open !== expired) return EMPTY;
    if (under?.expired === expired) return under.events$.pipe(ignoreElements());
    under = { expired, events$: creating(job, 'expired').pipe(share()) };
    return under.events$;
  };
}

function sendImage(job: UploadJob, image: Image, renew: ReturnType<typeof renewal>): Observable<SendingEvent> {
  const permitted = (then: (form: UploadForm, open: OpenBuild) => Observable<SendingEvent>): Observable<SendingEvent> =>
    defer(() => {
      const { open } = job;
      const form = open.forms.get(image[0].key);
      // Without a permit the server has it: a renewed build asks only for what is still missing.
      return form ? then(form, open) : from(job.done(image, 'kept', 0));
    });
  return permitted((form, open) =>
    postImage(job, image, form).pipe(
      catchError((error: unknown) =>
        isExpired(error)
          ? concat(
              renew(open),
              permitted((renewed) => postImage(job, image, renewed)),
            )
          : throwError(() => error),
      ),
    ),
  ).pipe(catchError((error: unknown) => from(job.failed(image, error))));
}

function postImage(job: UploadJob, image: Image, { postUrl, fields }: UploadForm): Observable<SendingEvent> {
  const [{ name, path, contentType, stamp }] = image;
  return defer(() =>
    job.http.post(postUrl, multipartBody(fields, { path, type: contentType, stamp }), {
      observe: 'events',
      responseType: 'text',
      headers: NOT_FOR_STORAGE,
      retry: job.options.retry,
    }),
  ).pipe(
    job.ledger.enter<HttpEvent>(),
    concatMap((event): Observable<SendingEvent> => {
      if (event.type === 'wait') return of(job.waits(event, 'upload', name));
      if (event.type === 'response') return from(job.done(image, 'sent', event.attempt));
      return event.type === 'sent' || event.type === 'upload' ? of(progress(event)) : EMPTY;
    }),
  );

  /** The form around the file counts for nothing; the last byte only counts when the server has answered. */
  function progress(event: HttpEvent & { type: 'sent' | 'upload' }): ProgressEvent {
    const total = stamp.bytes;
    const around = event.type === 'upload' && event.total !== undefined ? event.total - total : 0;
    const loaded = event.type === 'upload' ? Math.min(Math.max(event.loaded - around, 0), total - 1) : 0;
    return { type: 'progress', path: name, attempt: event.attempt, loaded, total };
  }
}

/** The policy of a form has expired: S3 says so with 403. */
function isExpired(error: unknown): boolean {
  if (!isHttpError(error) || error.status !== 403) return false;
  const { code = '', message = '' } = storageError(error) ?? {};
  return /expired/i.test(`${code} ${message}`);
}
