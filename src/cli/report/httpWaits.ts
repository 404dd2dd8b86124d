import { describeFailure } from '../../node/upload/describeFailure.js';
import type { WaitEvent } from '../../request/HttpEvent.js';
import { type Output, writeLine } from '../Io.js';
import { waitNotices } from './waitNotices.js';

/** Tells the waits of requests in words, each news in a line. */
export function httpWaits(output: Output): (event: WaitEvent) => void {
  const waits = waitNotices(Date.now);
  return ({ origin, kind, status, error, until }) => {
    const isNews = waits.note({
      host: origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : 'the server',
      kind,
      until,
      ...(status !== undefined && { status }),
      ...(status === undefined && error !== undefined && { reason: describeFailure(error) }),
    });
    if (isNews) writeLine(output, waits.text() ?? '');
  };
}
