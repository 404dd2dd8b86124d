import { concatMap, defer, EMPTY, type Observable, of } from 'rxjs';
import type { CreatedEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { PreparedUpload, UploadPart } from '../UploadTarget.js';
import type { UploadJob } from './UploadJob.js';

/** Answer of a target whose permits are dropped as they are used: those of many files take much memory. */
export interface OpenPermits<Permit> extends PreparedUpload<Permit> {
  readonly permits: Map<string, Permit>;
}

/**
 * Asks the target which files of a part it lacks, and emits the build in its answer. Files that arrived in an earlier run are not lacking,
 * whatever the target says: it may know of files only when the build is complete.
 *
 * @param isRenewal true if the part is asked for again, because permits expired
 */
export function askTarget<Permit>(
  job: UploadJob<Permit>,
  part: UploadPart,
  isRenewal: boolean,
): Observable<UploadWaitEvent | CreatedEvent | OpenPermits<Permit>> {
  return defer(() => job.target.prepare(part)).pipe(
    job.ledger.enter(),
    concatMap((event) => {
      if (event.type === 'wait') return of(job.waits(event, 'create'));
      if (event.type !== 'prepared') return EMPTY;
      const { build } = event;
      job.build = build;
      job.journal?.created(build);
      const permits = new Map([...event.permits].filter(([address]) => job.journal?.hasArrived(address) !== true));
      const reason = isRenewal ? 'expired' : part.earlierBuild?.id === build.id ? 'resumed' : 'new';
      const prepared = { ...event, permits };
      return of(createdEvent(job, part, prepared, reason), prepared);
    }),
  );
}

function createdEvent(
  { addressOf }: UploadJob<unknown>,
  { index, total, images }: UploadPart,
  { build, permits }: PreparedUpload<unknown>,
  reason: CreatedEvent['reason'],
): CreatedEvent {
  const missing = images.filter((file) => permits.has(addressOf(file)));
  const missingBytes = missing.reduce((sum, { stamp }) => sum + stamp.bytes, 0);
  return { type: 'created', build, reason, missing: missing.length, missingBytes, part: index, parts: total };
}
