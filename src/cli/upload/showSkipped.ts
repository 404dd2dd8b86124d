import type { Observable } from 'rxjs';
import { eachEvent } from '../../client/eachEvent.js';
import type { SkippedEvent } from '../../node/skipBuild.js';
import type { WaitEvent } from '../../request/HttpEvent.js';
import { printable } from '../../request/printable.js';
import { type Io, writeLine } from '../Io.js';
import { httpWaits } from '../report/waitNotices.js';
import { MAX_ID } from '../report/summaryLines.js';

/** Shows how a skipped build is made. */
export async function showSkipped(events$: Observable<WaitEvent | SkippedEvent>, { stdout }: Pick<Io, 'stdout'>): Promise<void> {
  const wait = httpWaits(stdout);
  for await (const event of eachEvent(events$)) {
    if (event.type === 'wait') wait(event);
    else writeLine(stdout, `build ${printable(event.build.id, MAX_ID)} is skipped: ${event.build.url}`);
  }
}
