import { defer, finalize, type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { Interceptor } from '../request/Handler.js';
import type { HttpEvent } from '../request/HttpEvent.js';
import { ANY, checkOptions, isFrom1, type OptionTable } from '../request/checkOptions.js';
import { joinRequests } from './joinTimelines.js';
import { recordRequest, type RequestRecord, type TimelineOptions } from './recordRequest.js';
import type { Timeline } from './TimelineData.js';

/** Options of {@link timelineRecorder}. */
export interface TimelineRecorderOptions {
  /** Most requests that are remembered, the latest ones; 1,000 by default. */
  readonly limit?: number | undefined;
  /** Milliseconds that each operation may take, for a line in the pictures. */
  readonly deadline?: number | undefined;
}

const OPTIONS: OptionTable<TimelineRecorderOptions> = {
  rules: {
    limit: [(value) => isFrom1(value) && (value === Infinity || Number.isInteger(value)), 'a whole number from 1, or Infinity'],
    deadline: ANY,
  },
};

/** Remembers the course of requests while they run. */
export interface TimelineRecorder {
  /** Interceptor for `createClient({ interceptors: [recorder.interceptor] })`: each operation is a row, named by its method and path. */
  readonly interceptor: Interceptor;
  /** Operator for any stream of events: `events$.pipe(recorder.record({ label: 'a.png' }))`. Values and errors go through unchanged. */
  readonly record: (options?: TimelineOptions) => MonoTypeOperatorFunction<HttpEvent>;
  /** Timeline up to now, running requests included. */
  readonly timeline: () => Timeline;
}

/**
 * A recorder that stands beside a pipeline and changes nothing in it: production code records its requests with it.
 *
 * Unlike {@link timeline}, it can be read at any moment, and it sees requests that were unsubscribed: they count as aborted.
 *
 * @example
 * const recorder = timelineRecorder();
 * const http = createClient({ interceptors: [recorder.interceptor] });
 * process.on('SIGUSR2', () => writeFileSync('requests.svg', renderSvg(recorder.timeline())));
 *
 * @throws UsageError for a limit that is no whole number, or under 1
 */
export function timelineRecorder(options: TimelineRecorderOptions = {}): TimelineRecorder {
  checkOptions('timelineRecorder', options, OPTIONS);
  const { limit = 1000, deadline } = options;
  const records: RequestRecord[] = [];
  const record =
    (options: TimelineOptions = {}): MonoTypeOperatorFunction<HttpEvent> =>
    (source) =>
      defer(() => {
        const own = recordRequest({ deadline, ...options });
        records.push(own);
        if (records.length > limit) records.shift();
        return source.pipe(tap({ next: own.next, error: own.fail, complete: own.complete }), finalize(own.leave));
      });
  return {
    record,
    interceptor: (request, next) => next(request).pipe(record({ label: `${request.method} ${pathOf(request.url)}` })),
    timeline: () => joinRequests(records.map(({ read }) => read())),
  };
}

// Rows are named without origin and query: a row has little room, and pictures are passed on.
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url.replace(/[?#].*$/s, '');
}
