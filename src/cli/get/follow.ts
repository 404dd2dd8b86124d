import { concatMap, defer, filter, map, type Observable, of, tap } from 'rxjs';
import type { HttpClient } from '../../client/HttpClient.js';
import { jsonLines } from '../../read/streams/jsonLines.js';
import { serverSentEvents } from '../../read/streams/serverSentEvents.js';
import type { ResponseEvent } from '../../request/HttpEvent.js';
import type { GetReport } from './getReports.js';
import type { BackpressuredWriter } from './BackpressuredWriter.js';

/** Default of the `accept` field. */
const ACCEPT = { accept: 'text/event-stream, application/x-ndjson, application/jsonl, */*;q=0.1' };

/** Options of {@link follow}. */
export interface FollowOptions {
  /** Value of the `accept` field, where the caller names one. */
  readonly accept?: { readonly accept: string } | undefined;
  /** Milliseconds without a byte after which a stream counts as lost; no limit by default. */
  readonly timeout?: number | undefined;
  /** Most bytes of a stream; no limit by default. */
  readonly maxBytes?: number | undefined;
  readonly report: GetReport;
  readonly writer: BackpressuredWriter;
}

/**
 * Shows a stream as it comes: server-sent events, with reconnection, where its content type says so, lines of JSON otherwise. It is read as
 * fast as the writer takes it. Lines are shown as they came, so that no number loses a digit.
 */
export function follow(
  http: HttpClient,
  url: string,
  { accept, timeout = Infinity, maxBytes = Infinity, report, writer }: FollowOptions,
): Observable<unknown> {
  const open = (headers: Readonly<Record<string, string>>): Observable<Response> =>
    http.get(url, { observe: 'events', responseType: 'stream', headers: { ...headers, ...accept } }).pipe(
      tap((event) => report.show(event)),
      filter((event): event is ResponseEvent<ReadableStream<Uint8Array> | null> => event.type === 'response'),
      map(({ body, status, headers: fields }) => new Response(body && writer.backpressure(body), { status, headers: fields })),
    );
  return open(ACCEPT).pipe(
    concatMap((first) => {
      const isEventStream = /^text\/event-stream\s*(;|$)/i.test(first.headers.get('content-type') ?? '');
      if (!isEventStream)
        return first.body ? jsonLines({ parse: asItCame, timeout, maxBytes })(first).pipe(tap((json) => report.item(json))) : [];
      let opened = false;
      const connect = (more: Readonly<Record<string, string>>): Observable<Response> =>
        defer(() => {
          if (opened) return open(more);
          opened = true;
          return of(first);
        });
      return serverSentEvents(connect, { timeout, maxBytes }).pipe(tap((event) => report.message(event)));
    }),
  );
}

function asItCame(line: string): string {
  JSON.parse(line);
  return line.trim();
}
