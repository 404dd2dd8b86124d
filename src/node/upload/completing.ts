import { concat, concatMap, defer, EMPTY, from, type Observable, of } from 'rxjs';
import type { CompletedEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { UploadJob } from './UploadJob.js';

/** Completes all parts, in their order, with the files that have arrived. */
export function completing(job: UploadJob<unknown>): Observable<UploadWaitEvent | CompletedEvent> {
  return defer(() => {
    let requests = 0;
    return concat(
      from(job.parts).pipe(
        concatMap((part) => job.target.complete({ ...part, files: part.files.filter((file) => job.hasArrived(file)) }, job.build)),
        job.ledger.enter(),
        concatMap((event) => {
          if (event.type === 'response') requests++;
          return event.type === 'wait' ? of(job.waits(event, 'complete')) : EMPTY;
        }),
      ),
      defer(() => {
        job.isCompleted = true;
        job.journal?.remove();
        return of<CompletedEvent>({ type: 'completed', build: job.build, requests });
      }),
    );
  });
}
