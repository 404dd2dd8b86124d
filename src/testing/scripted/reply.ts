import { isObservable, map, type Observable, of } from 'rxjs';
import { ANY, checkOptions, type OptionTable } from '../../request/checkOptions.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { HeadersInit } from '../../request/toHeaders.js';
import { describeValue } from '../values/describeValue.js';
import { parseMarbleTime } from '../diagrams/marbleTime.js';
import { playMarbles, valueOf } from '../diagrams/playMarbles.js';
import type { OwnBytes } from './SyncPromise.js';
import { toBytes, VirtualResponse } from './VirtualResponse.js';
import { NULL_BODY_STATUSES } from '../../transport/guardBody.js';

/** A piece of a body. */
export type Chunk = string | Uint8Array;

/** Parts of a response beside its status. */
export interface ReplyInit {
  /** Header fields. */
  readonly headers?: HeadersInit;
  /** The body: text, bytes, or an observable of pieces that is subscribed by the first read. */
  readonly body?: Chunk | Observable<Chunk> | null;
  /** The body as JSON; sets `content-type` unless the headers have one. */
  readonly json?: unknown;
  /**
   * The body in marbles, from the first read on: `'a 5s b|'`. Without `|` it stalls at its end, with `#` it breaks off.
   */
  readonly chunks?: string;
  /** Values of the letters of `chunks`; by default the letters themselves. */
  readonly values?: Readonly<Record<string, Chunk>>;
  /** Error of `#` in `chunks`; by default the one of `fetch` for a lost connection: `TypeError: terminated`. */
  readonly error?: unknown;
  /** Time that a scripted server takes to answer with it: ms, or `'3s'`. */
  readonly delay?: number | string;
  readonly statusText?: string;
  /** URL of the response; by default that of the request. */
  readonly url?: string;
  readonly redirected?: boolean;
  readonly type?: Response['type'];
}

const INIT: OptionTable<ReplyInit> = {
  rules: {
    headers: ANY,
    body: ANY,
    json: ANY,
    chunks: ANY,
    values: ANY,
    error: ANY,
    delay: ANY,
    statusText: ANY,
    url: ANY,
    redirected: ANY,
    type: ANY,
  },
  elsewhere: { latency: 'delay', text: 'body' },
};

/** A `Response` of virtual time. */
export interface Reply extends Response {
  /** Moment at which the body was cancelled, in ms of the virtual clock; undefined if it was not. */
  readonly cancelledAt: number | undefined;
  /** Time that a scripted server takes to answer with it, in ms. */
  readonly delay: number;
  /** All bytes of the body. */
  readonly bytes: () => Promise<OwnBytes>;
}

/**
 * A response for virtual time: a `Response` whose body can be read while the clock of a `TestScheduler` stands still. Outside of virtual
 * time it behaves like any other.
 *
 * @example
 * cold('5ms (a|)', { a: reply(200, { json: { id: 1 } }) });
 * reply(429, { headers: { 'retry-after': '3' } });
 * reply(200, { chunks: 'a 5s b|', values: { a: '{"id":', b: '1}' } }); // the body stalls for 5 s
 *
 * @param status 0 (an opaque answer) or 101 to 599
 * @throws UsageError for another status, or a body where the status allows none
 */
export function reply(status: number, init: ReplyInit = {}): Reply {
  if (status !== 0 && !(Number.isInteger(status) && status >= 101 && status <= 599)) {
    throw new UsageError(`reply(${status}): a status is 0 or an integer from 101 to 599`);
  }
  checkOptions(() => `reply(${status})`, init, INIT);
  const chunks$ = bodyOf(init);
  if (chunks$ && NULL_BODY_STATUSES.includes(status)) {
    throw new UsageError(`reply(${status}): this status has no body; leave out body, json and chunks`);
  }
  const headers = new Headers(init.headers);
  const type = init.json !== undefined ? 'application/json' : typeof init.body === 'string' ? 'text/plain;charset=UTF-8' : undefined;
  if (type !== undefined && !headers.has('content-type')) headers.set('content-type', type);
  return new VirtualResponse(
    {
      status,
      statusText: init.statusText ?? '',
      headers,
      url: init.url ?? '',
      redirected: init.redirected ?? false,
      type: init.type ?? 'default',
      delay: latencyOf(init),
      content: contentOf(init),
    },
    chunks$,
  );
}

function latencyOf({ delay = 0 }: ReplyInit): number {
  const ms = parseMarbleTime(delay);
  if (ms < 0) throw new UsageError(`reply: delay is ${ms} ms; give 0 or more`);
  return ms;
}

/** The body, where it is known beforehand. */
function contentOf({ body, json }: ReplyInit): Chunk | undefined {
  if (json !== undefined) return JSON.stringify(json);
  return typeof body === 'string' || body instanceof Uint8Array ? body : undefined;
}

function bodyOf({ body, json, chunks, values, error }: ReplyInit): Observable<Uint8Array> | null {
  const given = [body ?? undefined, json, chunks].filter((source) => source !== undefined);
  if (given.length > 1) throw new UsageError('reply: give one of body, json and chunks');
  if (chunks !== undefined) {
    const lost = new TypeError('terminated', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });
    const missing = (key: string): UsageError => new UsageError(`reply: values has no '${key}', which chunks '${chunks}' uses`);
    return playMarbles(chunks, (key) => toBytes(valueOf(values, key, missing)), error ?? lost);
  }
  if (json !== undefined) return of(toBytes(JSON.stringify(json)));
  if (body === undefined || body === null) return null;
  // Types guarantee it; a spec in JavaScript has none.
  if (typeof body !== 'string' && !(body instanceof Uint8Array) && !isObservable(body))
    throw new UsageError(`reply: body is ${describeValue(body)}; give text, bytes or an observable of them, or json: ...`);
  return isObservable(body) ? body.pipe(map(toBytes)) : of(toBytes(body));
}
