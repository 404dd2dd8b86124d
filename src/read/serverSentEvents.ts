import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  from,
  ignoreElements,
  mergeMap,
  type Observable,
  type ObservableInput,
  tap,
} from 'rxjs';
import { parseRetryAfter } from '../headers/parseRetryAfter.js';
import { serverClock } from '../headers/serverClock.js';
import { BodyError } from '../request/errors/BodyError.js';
import { HttpError, isHttpError } from '../request/errors/HttpError.js';
import { UsageError } from '../request/errors/UsageError.js';
import { RequestSummary } from '../request/RequestSummary.js';
import { retryReport } from '../retry/retryReport.js';
import { wait, wallClock } from '../time.js';
import { discardBody } from '../transport/discardBody.js';
import { brokeOff } from './brokeOff.js';
import { byteChunks, type ByteSource } from './byteChunks.js';
import { eventParser, type ServerSentEvent } from './eventParser.js';
import { loop } from './loop.js';
import { requireFunction } from './requireFunction.js';
import { StreamError, type StreamProgress } from './StreamError.js';

/** Between two connections, in ms; what a server's `retry` field asks for is held within. */
const SHORTEST = 500;
const LONGEST = 60_000;
/** A `Retry-After` beyond this ends the stream: 15 minutes. */
const MAX_HINT = 900_000;

/** What `connect` is called with: `accept`, and `last-event-id` where there is one. */
export type EventStreamHeaders = Readonly<Record<string, string>>;

/** What `connect` may give: a response, the stream of its body (`null`: there is none), or an observable of chunks. */
export type EventStream = ByteSource | null;

/** What {@link serverSentEvents} can be told. */
export interface ServerSentEventsOptions {
  /** Where to go on: the `id` of the last event of an earlier run. */
  readonly lastEventId?: string;
  /** Between two connections until the server's `retry` says otherwise, in ms (0.5 to 60 s); 3 s by default. */
  readonly reconnectAfter?: number;
  /** How many attempts to connect may fail in a row; 10 by default, 0: the first failure is final. */
  readonly maxFailures?: number;
  /** Most characters of one event; 16 Mi by default. */
  readonly maxEventLength?: number;
  /** Most decoded bytes of one connection; no limit by default. */
  readonly maxBytes?: number;
  /**
   * How to go on when a stream without ids breaks off after output: connects to what follows. Called instead of `connect` for each such
   * break.
   */
  resume?(progress: StreamProgress): ObservableInput<EventStream>;
}

/**
 * The events of a server that streams them (`text/event-stream`), with the reconnection of the HTML standard's EventSource, over any
 * client, with any headers and any method.
 *
 *     connection   id: 1, data: a  X      retry: 3 s      id: 2, data: b  204
 *     output       a                      3s              b               |
 *
 * - `connect` makes each connection; give it no retrying of its own, reconnecting is done here. What went through retry and gave up is final.
 * - A connection that breaks, or that the server closes after it has sent an `id` or `retry` field, is made again: after the server's `retry`
 *   (held within 0.5 to 60 s), with `Last-Event-ID`. A server that closes without either has said all it has to say, and so has a 204.
 * - Connections that fail (network, 408, 425, 429, 5xx) are tried again after twice as long each time, never before the server's
 *   `Retry-After`; any other status is final, as is a content type that is none of an event stream.
 * - A stream without ids that breaks after output is a {@link StreamError} that says how far it got, unless `resume` knows how to go on.
 *
 * Cold: each subscription has connections of its own. Unsubscribing closes the connection, or ends the wait.
 *
 * @example
 * serverSentEvents((headers) => coldFetch('https://api.example/events', { headers })).subscribe(({ event, data }) => console.log(event, data));
 *
 * @throws UsageError for options that are no sensible numbers
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function serverSentEvents(
  connect: (headers: EventStreamHeaders) => ObservableInput<EventStream>,
  options: ServerSentEventsOptions = {},
): Observable<ServerSentEvent> {
  requireFunction('serverSentEvents: connect', connect, 'a function that opens the stream with the header fields it is given');
  const { reconnectAfter = 3_000, maxFailures = 10, maxEventLength = 16_777_216, maxBytes = Infinity } = options;
  requireNumber('reconnectAfter', reconnectAfter, 0);
  requireNumber('maxFailures', maxFailures, 0);
  requireNumber('maxEventLength', maxEventLength, 1);
  requireNumber('maxBytes', maxBytes, 1);

  return defer(() => {
    let lastEventId = options.lastEventId ?? '';
    let retry = clamp(reconnectAfter);
    let serverReconnects = false;
    let received = 0;
    let failures = 0;
    let pause = 0;
    let resuming = false;
    let ended = false;

    const progress = (): StreamProgress => (lastEventId === '' ? { received } : { received, lastEventId });

    function open(): ObservableInput<EventStream> {
      return resuming && options.resume ? options.resume(progress()) : connect(headersFrom(lastEventId));
    }

    function readEvents(source: ByteSource): Observable<ServerSentEvent> {
      const before = received;
      let loaded = 0;
      const parser = eventParser(lastEventId, maxEventLength, (ms) => {
        serverReconnects = true;
        retry = clamp(ms);
      });
      return byteChunks(source).pipe(
        mergeMap((chunk) => {
          loaded += chunk.byteLength;
          if (loaded > maxBytes) throw new BodyError(`The stream is longer than ${maxBytes} bytes; raise maxBytes if it is meant to be`);
          return parser.push(chunk);
        }),
        tap(({ id }) => {
          lastEventId = id;
          received++;
          failures = 0;
        }),
        catchError((cause: unknown) => {
          if (!brokeOff(cause) || received === before || lastEventId !== '') throw cause;
          if (!options.resume) {
            const stood = `The event stream broke off after ${received} events, which had no ids`;
            throw new StreamError(`${stood}; pass resume to go on from there`, progress(), { cause });
          }
          resuming = true;
          throw cause;
        }),
      );
    }

    const connection$ = defer(() => from(open())).pipe(
      concatMap((answer) => {
        if (answer === null || ('status' in answer && answer.status === 204)) {
          ended = true;
          return EMPTY;
        }
        return readEvents(checked(answer));
      }),
      tap({
        complete: () => {
          ended ||= lastEventId === '' && !serverReconnects;
          pause = retry;
        },
      }),
      catchError((error: unknown) => {
        const hint = retryHint(error);
        if (!isTransient(error) || hint > MAX_HINT || failures >= maxFailures) throw error;
        if (isHttpError(error)) discardBody(error.response);
        pause = Math.max(Math.min(retry * 2 ** failures, LONGEST), hint);
        failures++;
        return EMPTY;
      }),
    );

    let first = true;
    return loop(() => {
      if (ended) return undefined;
      if (!first) return concat(wait(pause).pipe(ignoreElements()), connection$);
      first = false;
      return connection$;
    });
  });
}

function headersFrom(lastEventId: string): EventStreamHeaders {
  const accept = { accept: 'text/event-stream' };
  // A header field holds bytes; the standard sends the id as UTF-8.
  return lastEventId === '' ? accept : { ...accept, 'last-event-id': String.fromCharCode(...new TextEncoder().encode(lastEventId)) };
}

function checked(source: ByteSource): ByteSource {
  if (!('headers' in source)) return source;
  if (!source.ok) throw new HttpError(source, new RequestSummary('GET', source.url, new Headers()));
  const type = source.headers.get('content-type');
  if (type !== null && !/^text\/event-stream\s*(;|$)/i.test(type)) {
    discardBody(source);
    throw new BodyError(`The answer is no event stream but ${type}; read it as what it is`);
  }
  return source;
}

// What a retry above has given up on is not begun again.
function isTransient(error: unknown): boolean {
  if (retryReport(error) !== undefined) return false;
  return brokeOff(error) || (isHttpError(error) && (error.status >= 500 || [408, 425, 429].includes(error.status)));
}

function retryHint(error: unknown): number {
  if (!isHttpError(error)) return 0;
  return parseRetryAfter(error.headers.get('retry-after'), serverClock(error.headers, wallClock())) ?? 0;
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST), LONGEST);
}

function requireNumber(name: string, value: number, least: number): void {
  if (!(value >= least)) throw new UsageError(`serverSentEvents: ${name} is ${value}; give a number from ${least}`);
}
