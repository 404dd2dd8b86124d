import { concatMap, defer, EMPTY, type Observable, of } from 'rxjs';
import type { CreatedEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { Prepared, UploadPart } from '../UploadTarget.js';
import type { UploadJob } from './UploadJob.js';

/**
 * Asks the target what it lacks of a part, and tells the build that it answers with.
 *
 * @param reason why it is asked: for the first time, or because permits expired
 */
export function asking<Permit>(
  job: UploadJob<Permit>,
  part: UploadPart,
  reason: CreatedEvent['reason'],
): Observable<UploadWaitEvent | CreatedEvent | Prepared<Permit>> {
  return defer(() => job.target.prepare(part)).pipe(
    job.ledger.enter(),
    concatMap((event) => {
      if (event.type === 'wait') return of(job.waits(event, 'create'));
      if (event.type !== 'prepared') return EMPTY;
      job.build = event.build;
      return of(createdEvent(job, part, event, reason), event);
    }),
  );
}

function createdEvent(
  { addressOf }: UploadJob<unknown>,
  { index, total, images }: UploadPart,
  { build, permits }: Prepared<unknown>,
  reason: CreatedEvent['reason'],
): CreatedEvent {
  const missing = images.filter((file) => permits.has(addressOf(file)));
  const missingBytes = missing.reduce((sum, { stamp }) => sum + stamp.bytes, 0);
  return { type: 'created', build, reason, missing: missing.length, missingBytes, part: index, parts: total };
}
