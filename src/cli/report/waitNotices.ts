import { describeFailure } from '../../node/upload/describeFailure.js';
import type { UploadWaitEvent } from '../../node/UploadBuildEvent.js';
import { formatDuration } from '../../request/duration.js';
import type { WaitEvent } from '../../request/HttpEvent.js';
import { type Output, writeLine } from '../Io.js';

/** Time within which waits that end are shown as one, in ms: delays of whole seconds end apart. */
const TOGETHER = 1_000;

/** The parts of a wait that are shown; `files` only where a wait holds files. */
export type NotedWait = Pick<UploadWaitEvent, 'host' | 'kind' | 'status' | 'reason' | 'until'> & Partial<Pick<UploadWaitEvent, 'files'>>;

/** Waits of a command, in words. */
export interface WaitNotices {
  /** Takes a wait; true if it is news: none is under way, or it ends clearly later than all before. */
  readonly note: (event: NotedWait) => boolean;
  /** The wait that ends last, in words; undefined when all are over. */
  readonly text: (arrived?: number) => string | undefined;
}

/**
 * Joins the waits of all files into one: ten files that the same 429 holds are one wait.
 *
 * @param now the wall clock in ms
 */
export function waitNotices(now: () => number): WaitNotices {
  let latest: NotedWait | undefined;
  return {
    note: (event) => {
      const isNews = latest === undefined || latest.until <= now() || event.until > latest.until + TOGETHER;
      if (latest === undefined || event.until > latest.until) latest = event;
      return isNews;
    },
    text: (arrived) => (latest === undefined || latest.until <= now() ? undefined : describeWait(latest, latest.until - now(), arrived)),
  };
}

/** `rate-limited by 127.0.0.1: next try in 4 s, 12 of 36 uploaded` */
export function describeWait({ host, kind, status, reason, files }: NotedWait, left: number, arrived?: number): string {
  const limited = status === 429 || kind === 'gate';
  const why = limited
    ? `rate-limited by ${host}`
    : status === undefined
      ? (reason ?? `no answer from ${host}`)
      : `${host} answered ${status}`;
  const next = `${why}: next try in ${formatDuration(Math.ceil(left / 1000) * 1000)}`;
  return files === undefined || arrived === undefined ? next : `${next}, ${arrived} of ${files} uploaded`;
}

/** Shows the waits of requests in words, each news in a line. */
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
