import { concat, concatMap, defer, from, type Observable, of } from 'rxjs';
import type { CreatedEvent, DoneEvent, FailedEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { UploadPart } from '../UploadTarget.js';
import { askTarget, type OpenPermits } from './askTarget.js';
import type { HashedPart } from './PartSorter.js';
import type { UploadImage } from './UploadImage.js';
import type { UploadJob } from './UploadJob.js';

/** A part that the target was asked for. */
export interface OpenPart<Permit> {
  readonly part: UploadPart;
  /** The target's answer; a newer one takes its place when permits have expired. */
  prepared: OpenPermits<Permit>;
}

/** An image that the target lacks. */
export interface LackingImage<Permit> {
  readonly type: 'lacking';
  readonly image: UploadImage;
  readonly open: OpenPart<Permit>;
}

type PreparingEvent = CreatedEvent | UploadWaitEvent | DoneEvent | FailedEvent;

/** Images that may wait to be sent when the next part is asked for: enough to go on with meanwhile. */
const WAITING = 500;

/**
 * Asks which files of a part the target lacks. Images that it has are done; those that it lacks are handed on. It completes when few of
 * them wait to be sent, so that the next part is asked for late: permits expire, and take memory.
 */
export function preparing<Permit>(
  job: UploadJob<Permit>,
  { index, total, files }: HashedPart,
): Observable<PreparingEvent | LackingImage<Permit>> {
  return defer(() => {
    const images: UploadImage[] = [];
    const settled = files.flatMap((file) => {
      const { image, isNew } = job.enter(file);
      if (isNew) images.push(image);
      return isNew ? [] : job.addDuplicate(image, file);
    });
    const part = job.add({ index, total, files, images: images.map(({ file }) => file) });
    const asked$ = askTarget(job, part, false).pipe(
      concatMap((answer): Observable<PreparingEvent | LackingImage<Permit>> => {
        if (answer.type !== 'prepared') return of(answer);
        const open: OpenPart<Permit> = { part, prepared: answer };
        const isLacking = ({ address }: UploadImage): boolean => answer.permits.has(address);
        const lacking = images.filter(isLacking);
        job.countUnsent(lacking.length);
        return concat(
          from(images.filter((image) => !isLacking(image))).pipe(concatMap((image) => job.arrived(image, 'kept', 0))),
          from(lacking).pipe(concatMap((image) => of<LackingImage<Permit>>({ type: 'lacking', image, open }))),
        );
      }),
    );
    return concat(from(settled), asked$, job.whenUnsent(WAITING));
  });
}
