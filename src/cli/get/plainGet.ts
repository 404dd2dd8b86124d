import type { WaitEvent } from '../../request/HttpEvent.js';
import { describeFailure } from '../../node/upload/describeFailure.js';
import { type Output, writeLine } from '../Io.js';
import { waitNotices } from '../report/waitNotices.js';
import type { GetReport } from './GetReport.js';
import type { Outlet } from './Outlet.js';

/** Data and nothing else to the outlet, byte for byte; the waits, in words, to the error output. */
export function plainGet(outlet: Outlet, stderr: Output): GetReport {
  const waits = waitNotices(Date.now);
  const wait = ({ origin, kind, status, error, until }: WaitEvent): void => {
    const isNews = waits.note({
      host: origin !== undefined && URL.canParse(origin) ? new URL(origin).hostname : 'the server',
      kind,
      until,
      ...(status !== undefined && { status }),
      ...(status === undefined && error !== undefined && { reason: describeFailure(error) }),
    });
    if (isNews) writeLine(stderr, waits.text() ?? '');
  };
  return {
    show: (event) => {
      if (event.type === 'wait') wait(event);
    },
    answer: ({ body }) => {
      if (body) outlet.put(body);
    },
    item: (json) => outlet.put(`${json}\n`),
    message: ({ data }) => outlet.put(`${data}\n`),
  };
}
