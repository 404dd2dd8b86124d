import { catchError, concat, concatMap, defer, EMPTY, finalize, from, ignoreElements, type Observable, of, share, throwError } from 'rxjs';
import type { HttpEvent } from '../../request/HttpEvent.js';
import type { CreatedEvent, DoneEvent, FailedEvent, ProgressEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { PreparedUpload, UploadFile } from '../UploadTarget.js';
import { askTarget } from './askTarget.js';
import type { LackingImage, OpenPart } from './preparing.js';
import type { UploadImage } from './UploadImage.js';
import type { UploadJob } from './UploadJob.js';

type SendingEvent = CreatedEvent | DoneEvent | FailedEvent | ProgressEvent | UploadWaitEvent;
type Renewal<Permit> = (open: OpenPart<Permit>, expired: PreparedUpload<Permit>) => Observable<CreatedEvent | UploadWaitEvent>;

/**
 * Sends images that the target lacks. A failed image is reported, and the others go on. An expired permit is renewed, once for all images
 * of its part.
 */
export function sending<Permit>(job: UploadJob<Permit>): (lacking: LackingImage<Permit>) => Observable<SendingEvent> {
  const renew = renewal(job);
  return ({ image, open }) => {
    const permitted = (then: (permit: Permit) => Observable<SendingEvent>): Observable<SendingEvent> =>
      defer(() => {
        const { permits } = open.prepared;
        // A permit may be any value. An image without one is at the target already: a renewed build asks only for missing files.
        return permits.has(image.address) ? then(permits.get(image.address) as Permit) : from(job.arrived(image, 'kept', 0));
      });
    return permitted((permit) => {
      const { prepared } = open;
      return send(job, image, permit).pipe(
        catchError((error: unknown) =>
          job.target.isExpired?.(error) === true
            ? concat(
                renew(open, prepared),
                permitted((renewed) => send(job, image, renewed)),
              )
            : throwError(() => error),
        ),
      );
    }).pipe(
      catchError((error: unknown) => from(job.failed(image, error))),
      finalize(() => {
        open.prepared.permits.delete(image.address);
        job.countUnsent(-1);
      }),
    );
  };
}

/** Renews the permits of a part: every caller waits for the same request, and the first one passes its events on. */
function renewal<Permit>(job: UploadJob<Permit>): Renewal<Permit> {
  const running = new Map<PreparedUpload<Permit>, Observable<CreatedEvent | UploadWaitEvent>>();
  return (open, expired) => {
    if (open.prepared !== expired) return EMPTY;
    const under = running.get(expired);
    if (under) return under.pipe(ignoreElements());
    const events$ = askTarget(job, open.part, true).pipe(
      concatMap((answer) => {
        if (answer.type !== 'prepared') return of(answer);
        open.prepared = answer;
        running.delete(expired);
        return EMPTY;
      }),
      share(),
    );
    running.set(expired, events$);
    return events$;
  };
}

function send<Permit>(job: UploadJob<Permit>, image: UploadImage, permit: Permit): Observable<SendingEvent> {
  const { file } = image;
  return defer(() => job.target.send(file, permit)).pipe(
    job.ledger.enter<HttpEvent>(),
    concatMap((event): Observable<SendingEvent> => {
      if (event.type === 'wait') return of(job.waits(event, 'upload', file.name));
      if (event.type === 'response') return from(job.arrived(image, 'sent', event.attempt, event.status));
      return event.type === 'sent' || event.type === 'upload' ? of(progress(file, event)) : EMPTY;
    }),
  );
}

/** Bytes around the file in a form do not count as progress; the last byte only counts when the server has answered. */
function progress({ name, stamp }: UploadFile, event: HttpEvent & { type: 'sent' | 'upload' }): ProgressEvent {
  const total = stamp.bytes;
  const around = event.type === 'upload' && event.total !== undefined ? event.total - total : 0;
  const loaded = event.type === 'upload' ? Math.min(Math.max(event.loaded - around, 0), total - 1) : 0;
  return { type: 'progress', path: name, attempt: event.attempt, loaded, total };
}
