import type { StandardSchemaV1 } from '@standard-schema/spec';
import { catchError, concat, concatMap, defer, EMPTY, from, ignoreElements, map, type Observable, type ObservableInput, tap } from 'rxjs';
import { SCHEMA } from '../../request/checkSchema.js';
import { counted } from '../../request/printable.js';
import { BodyError } from '../../request/errors/BodyError.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import {
  ANY,
  checkOptions,
  FUNCTION,
  isFrom1,
  isFunction,
  isNotNegative,
  type OptionTable,
  requireThat,
} from '../../request/checkOptions.js';
import { wait } from '../../time.js';
import { discardBody } from '../../transport/discardBody.js';
import { isFieldValue } from '../../transport/headerProblem.js';
import { untilOnline } from '../../transport/untilOnline.js';
import { brokeOff, isPassing, retryHint } from './streamFailures.js';
import { byteChunks } from './byteChunks.js';
import { type ByteSource, takeIdleTimeout } from './ByteSource.js';
import { eventParser, requireEventStream, type ServerSentEvent } from './eventParser.js';
import { backpressure } from './backpressure.js';
import { checkedEach } from './checkedEach.js';
import { loop } from '../loop.js';
import { StreamError, type StreamProgress } from './StreamError.js';
import { MAX_HINT } from '../../request/defaults.js';

/** Bounds of the delay between two connections, in ms; a server's `retry` field is clamped to them. */
const SHORTEST = 500;
const LONGEST = 60_000;
/** Header fields for `connect`: `accept`, and `last-event-id` where there is one. */
export type EventStreamHeaders = Readonly<Record<string, string>>;

/** Results that `connect` may give; `null`, the body of a response without one, ends the stream like a 204. */
export type EventStream = ByteSource;

/** Options of {@link serverSentEvents}. */
export interface ServerSentEventsOptions {
  /** Id to go on from: the `id` of the last event of an earlier run. */
  readonly lastEventId?: string;
  /**
   * Connections after which there is another. `'resumable'` (default): those of a server that has sent an `id` or `retry` field; without
   * either, a close is the end, and a break after output an error. `'always'`: all, like a browser's EventSource; events of a stream
   * without ids may be missing then. `'never'`: none once the stream is open, for a response to a POST, for example. A failed attempt to
   * open the stream is repeated in all three, unless `maxFailures` is 0.
   */
  readonly reconnect?: 'resumable' | 'always' | 'never';
  /** Delay between two connections until the server's `retry` changes it, in ms (0.5 to 60 s); 3 s by default. */
  readonly reconnectAfter?: number;
  /**
   * Most attempts to connect that may fail in a row, those that end before the first byte included; 10 by default, 0: the first is final.
   */
  readonly maxFailures?: number;
  /**
   * Milliseconds without a byte, a comment's included, after which a connection counts as lost; no limit by default. Choose it above the
   * server's time between two heartbeats.
   */
  readonly timeout?: number;
  /** Most characters of one event; 16 Mi by default. */
  readonly maxEventLength?: number;
  /** Most decoded bytes of one connection; no limit by default. */
  readonly maxBytes?: number;
  /**
   * Continuation of a stream without ids that breaks off after output: connects to the rest. It is called instead of `connect` for each
   * such break.
   */
  resume?(progress: StreamProgress): ObservableInput<EventStream>;
}

/** {@link ServerSentEventsOptions} with work to be done for each event. */
export interface ServerSentEventsEachOptions<R, T = string> extends ServerSentEventsOptions {
  /** Work on one event, in order, one at a time. The stream is read on when that of the last event that has come has completed. */
  readonly each: (event: ServerSentEvent<T>) => ObservableInput<R>;
}

/** Options of {@link serverSentEvents} where events hold data of a known form. */
export interface ServerSentEventsSchema<S extends StandardSchemaV1> {
  /**
   * Schema that checks the data of each event and gives its type, of any library that knows the Standard Schema; data that do not match are
   * a BodyError.
   */
  readonly schema: S;
  /** Makes the value that the schema checks from an event's data; `JSON.parse` by default. */
  readonly parse?: (data: string) => unknown;
}

const OPTIONS: OptionTable<
  ServerSentEventsOptions & Partial<ServerSentEventsEachOptions<unknown> & ServerSentEventsSchema<StandardSchemaV1>>
> = {
  rules: {
    lastEventId: ANY,
    reconnect: [(value) => ['resumable', 'always', 'never'].includes(value as string), "'resumable', 'always' or 'never'"],
    reconnectAfter: [isNotNegative, 'a number from 0'],
    maxFailures: [isNotNegative, 'a number from 0'],
    timeout: [isFrom1, 'a number from 1'],
    maxEventLength: [isFrom1, 'a number from 1'],
    maxBytes: [isFrom1, 'a number from 1'],
    resume: FUNCTION,
    each: FUNCTION,
    schema: SCHEMA,
    parse: FUNCTION,
  },
};

/** Options for the work on each event. */
interface Work<R, T> {
  readonly schema?: StandardSchemaV1 | undefined;
  readonly parse?: (data: string) => unknown;
  readonly each?: (event: ServerSentEvent<T>) => ObservableInput<R>;
}

/**
 * The events of a server that streams them (`text/event-stream`), with the reconnection of the HTML standard's EventSource, over any
 * client, with any headers and any method.
 *
 *     connection   id: 1, data: a  X      retry: 3 s      id: 2, data: b  204
 *     output       a                      3s              b               |
 *
 * - `connect` makes each connection: a Response, what a client gives with `responseType: 'stream'`, or bytes. Give it no retrying of its own,
 *   reconnecting is done here. What went through retry and gave up is final.
 * - A connection that breaks, or that the server closes after it has sent an `id` or `retry` field, is made again: after the server's `retry`
 *   (held within 0.5 to 60 s), with `Last-Event-ID`. A server that closes without either has said all it has to say, and so has a 204.
 *   `reconnect` changes that.
 * - Connections that fail (network, 408, 425, 429, 5xx) are tried again after twice as long each time, never before the server's
 *   `Retry-After`, and in a browser that is offline not before it is online again; any other status is final, as is a content type that is none of an event stream (one that is missing passes).
 * - A stream without ids that breaks after output is a {@link StreamError} that says how far it got, unless `resume` knows how to go on.
 *
 * Cold: each subscription has connections of its own. Unsubscribing closes the connection, or ends the wait; a `signal` given to `connect`'s
 * request ends neither, so use `takeUntil`. Work that the stream should wait for goes into `each`.
 *
 * @example
 * serverSentEvents((headers) => coldFetch('https://api.example/events', { headers })).subscribe(({ event, data }) => console.log(event, data));
 * serverSentEvents(connect, { schema: z.object({ price: z.number() }) }).subscribe(({ data }) => console.log(data.price));
 *
 * @throws UsageError for options that make no sense
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function serverSentEvents<R, S extends StandardSchemaV1>(
  connect: (headers: EventStreamHeaders) => ObservableInput<EventStream>,
  options: ServerSentEventsSchema<S> & ServerSentEventsEachOptions<R, StandardSchemaV1.InferOutput<S>>,
): Observable<R>;
export function serverSentEvents<R>(
  connect: (headers: EventStreamHeaders) => ObservableInput<EventStream>,
  options: ServerSentEventsEachOptions<R> & { readonly schema?: undefined },
): Observable<R>;
export function serverSentEvents<S extends StandardSchemaV1>(
  connect: (headers: EventStreamHeaders) => ObservableInput<EventStream>,
  options: ServerSentEventsSchema<S> & ServerSentEventsOptions,
): Observable<ServerSentEvent<StandardSchemaV1.InferOutput<S>>>;
export function serverSentEvents(
  connect: (headers: EventStreamHeaders) => ObservableInput<EventStream>,
  options?: ServerSentEventsOptions,
): Observable<ServerSentEvent>;
export function serverSentEvents<R, T>(
  connect: (headers: EventStreamHeaders) => ObservableInput<EventStream>,
  options: ServerSentEventsOptions & Work<R, T> = {},
): Observable<ServerSentEvent<T> | R> {
  requireThat(
    isFunction(connect),
    'serverSentEvents',
    'connect',
    connect,
    'a function that opens the stream with the header fields it is given',
  );
  checkOptions('serverSentEvents', options, OPTIONS);
  const { reconnect = 'resumable', reconnectAfter = 3_000, maxFailures = 10, timeout = Infinity } = options;
  const { maxEventLength = 16_777_216, maxBytes = Infinity } = options;
  const work = eventWork(options);

  return defer(() => {
    const steps = backpressure<ServerSentEvent, ServerSentEvent<T> | R>(work);
    let lastEventId = options.lastEventId ?? '';
    let retry = clamp(reconnectAfter);
    let serverReconnects = reconnect === 'always';
    let received = 0;
    let failures = 0;
    let pause = 0;
    let resuming = false;
    let ended = false;
    let opened = false;

    const progress = (): StreamProgress => (lastEventId === '' ? { received } : { received, lastEventId });

    function open(): ObservableInput<EventStream> {
      return resuming && options.resume ? options.resume(progress()) : connect(headersFrom(lastEventId));
    }

    /** Decides about a connection that was lost while it was read, by the error that it throws. */
    function lost(cause: unknown, before: number): never {
      const repeats = received > before && lastEventId === '' && reconnect === 'resumable';
      if (!brokeOff(cause) || !(repeats || (reconnect === 'never' && received > 0))) throw cause;
      if (reconnect === 'resumable' && options.resume) {
        resuming = true;
        throw cause;
      }
      const stood = `The event stream broke off after ${counted(received, 'event')}`;
      const advice = reconnect === 'never' ? '' : ', which had no ids; pass resume to go on from there';
      throw new StreamError(stood + advice, progress(), { cause });
    }

    function readEvents(source: ByteSource): Observable<Iterable<ServerSentEvent>> {
      const before = received;
      let loaded = 0;
      const parser = eventParser(lastEventId, maxEventLength, (ms) => {
        serverReconnects = true;
        retry = clamp(ms);
      });
      function* eventsIn(chunk: Uint8Array): Generator<ServerSentEvent, void> {
        loaded += chunk.byteLength;
        if (loaded > maxBytes) throw new BodyError(`The stream is longer than ${maxBytes} bytes; raise maxBytes if it is meant to be`);
        for (const event of parser.push(chunk)) {
          lastEventId = event.id;
          received++;
          yield event;
        }
        ({ lastEventId } = parser);
      }
      return byteChunks(source, { timeout, idle$: steps.idle$ }).pipe(
        tap(() => (failures = 0)),
        map(eventsIn),
        catchError((cause: unknown) => lost(cause, before)),
      );
    }

    const connection$ = defer(() => from(open())).pipe(
      concatMap((answer) => {
        if (answer === null || ('status' in answer && answer.status === 204)) {
          ended = true;
          return EMPTY;
        }
        requireEventStream(answer);
        opened = true;
        // Event streams may be silent for hours: their own `timeout` counts.
        takeIdleTimeout(answer);
        return readEvents(answer);
      }),
      tap({
        complete: () => {
          ended ||= reconnect === 'never' || (lastEventId === '' && !serverReconnects);
          pause = retry;
        },
      }),
      catchError((error: unknown) => {
        const hint = retryHint(error);
        if ((reconnect === 'never' && opened) || !isPassing(error) || hint > MAX_HINT || failures >= maxFailures) throw error;
        if (isHttpError(error)) discardBody(error.response);
        pause = Math.max(Math.min(retry * 2 ** failures, LONGEST), hint);
        failures++;
        return EMPTY;
      }),
    );

    let first = true;
    const batches$ = loop(() => {
      if (ended) return undefined;
      if (!first) return concat(wait(pause).pipe(ignoreElements()), untilOnline, connection$);
      first = false;
      return connection$;
    });
    // Events without work on them are passed on with their text.
    return steps.pass(batches$) as Observable<ServerSentEvent<T> | R>;
  });
}

type EventWork<R, T> = (event: ServerSentEvent) => ObservableInput<ServerSentEvent<T> | R>;

/** Work on each event: a schema checks its data where there is one, then comes the caller's work. */
function eventWork<R, T>({ schema, parse = JSON.parse, each }: Work<R, T>): EventWork<R, T> | undefined {
  // Data without a schema are text.
  if (!schema) return each as EventWork<R, T> | undefined;
  return (event) => {
    const toItem = (data: unknown): ServerSentEvent<T> => ({ ...event, data: data as T });
    return checkedEach({ value: parsed(event, parse), schema, name: "An event's data", toItem }, each);
  };
}

function parsed({ data }: ServerSentEvent, parse: (data: string) => unknown): unknown {
  try {
    return parse(data);
  } catch (cause) {
    throw new BodyError(`An event's data cannot be parsed (${data.length} characters); pass parse if they are not JSON`, { cause });
  }
}

function headersFrom(lastEventId: string): EventStreamHeaders {
  const accept = { accept: 'text/event-stream' };
  if (lastEventId === '') return accept;
  // A header field holds bytes; the standard sends the id as UTF-8.
  const bytes = Array.from(new TextEncoder().encode(lastEventId), (byte) => String.fromCharCode(byte)).join('');
  if (isFieldValue(bytes)) return { ...accept, 'last-event-id': bytes };
  throw new BodyError(
    'The id of the last event holds a control character, which no header field can carry: the stream cannot go on from there',
  );
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST), LONGEST);
}
