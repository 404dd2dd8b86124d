import { concat, concatMap, defer, EMPTY, from, type Observable, of } from 'rxjs';
import type { CompletedEvent, UploadWaitEvent } from '../UploadBuildEvent.js';
import type { UploadJob } from './UploadJob.js';

/** Ends all parts, in their order. */
export function completing(job: UploadJob<unknown>): Observable<UploadWaitEvent | CompletedEvent> {
  return defer(() => {
    let requests = 0;
    return concat(
      from(job.parts).pipe(
        concatMap((part) => job.target.complete(part, job.build)),
        job.ledger.enter(),
        concatMap((event) => {
          if (event.type === 'response') requests++;
          return event.type === 'wait' ? of(job.waits(event, 'complete')) : EMPTY;
        }),
      ),
      defer(() => of<CompletedEvent>({ type: 'completed', build: job.build, requests })),
    );
  });
}
