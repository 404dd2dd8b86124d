import type { Observable } from 'rxjs';
import { type GuardedStandIn, OWN_GUARD } from '../../transport/guardBody.js';
import type { BodyGuard } from '../../transport/GuardedBody.js';
import { readBytes } from '../../transport/readBody.js';
import { type OwnBytes, SyncPromise } from './SyncPromise.js';
import { platformResponse } from './platformResponse.js';
import { CONTENT } from '../values/comparable.js';
import { VirtualBody } from './VirtualBody.js';
import { watchReads } from './watchReads.js';

/** The head of a {@link VirtualResponse}. */
export interface VirtualHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  readonly redirected: boolean;
  readonly type: Response['type'];
  /** Time that a scripted server takes to answer with it, in ms. */
  readonly delay: number;
  /** The body, where it is known beforehand. */
  readonly content: string | Uint8Array | undefined;
}

/** Mark of a virtual response, of whichever copy of the kit. */
const BRAND: unique symbol = Symbol.for('coldfetch.testing.response');

/**
 * A `Response` whose body is read in virtual time: `json()`, `text()` and the reads of `body.getReader()` settle at once where a real one
 * takes a microtask, which virtual time does not wait for. Any status goes, 0 and 1xx included.
 */
export class VirtualResponse extends platformResponse() implements GuardedStandIn {
  readonly [BRAND] = true;
  override readonly status: number;
  override readonly statusText: string;
  override readonly headers: Headers;
  override readonly ok: boolean;
  override readonly url: string;
  override readonly redirected: boolean;
  override readonly type: Response['type'];
  override readonly body: Response['body'];
  declare readonly bodyUsed: boolean;
  /** Time that a scripted server takes to answer with it, in ms. */
  readonly delay: number;
  readonly #head: VirtualHead;
  readonly #body: VirtualBody | null;

  constructor(head: VirtualHead, chunks$: Observable<Uint8Array> | null) {
    super(null);
    this.#head = head;
    this.#body = chunks$ && new VirtualBody(chunks$);
    this.status = head.status;
    this.statusText = head.statusText;
    this.headers = head.headers;
    this.ok = head.status >= 200 && head.status <= 299;
    this.url = head.url;
    this.redirected = head.redirected;
    this.type = head.type;
    this.delay = head.delay;
    // The body is no real stream, so that nobody hands it to functions that need microtasks, such as `pipeThrough`.
    this.body = this.#body as unknown as Response['body'];
    Object.defineProperty(this, 'bodyUsed', { get: () => this.#body?.disturbed ?? false, enumerable: true });
  }

  /** Moment at which the body was cancelled, in ms of the virtual clock; undefined if it was not. */
  get cancelledAt(): number | undefined {
    return this.#body?.cancelledAt;
  }

  /** Body where it is known beforehand, else the observable that it comes from; null without one. */
  get [CONTENT](): unknown {
    return this.#head.content ?? this.#chunks();
  }

  /** Fails the body as the guard of its reader says. */
  [OWN_GUARD](guard: BodyGuard): void {
    if (this.#body) watchReads(this, this.#body, guard);
  }

  /** A copy of the response, unread, as from `url`; its body fails once `signal` aborts, which is reported to `lost`. */
  from(url: string, signal: AbortSignal | undefined, lost: () => void): VirtualResponse {
    const copy = new VirtualResponse({ ...this.#head, headers: new Headers(this.headers), url: this.#head.url || url }, this.#chunks());
    if (signal) copy.#body?.failWith(signal, lost);
    return copy;
  }

  override readonly clone = (): VirtualResponse => {
    if (this.bodyUsed || this.#body?.locked) throw new TypeError('The body was read already: clone the response before');
    return new VirtualResponse({ ...this.#head, headers: new Headers(this.headers) }, this.#chunks());
  };

  override readonly text = (): SyncPromise<string> => this.bytes().then((bytes) => new TextDecoder().decode(bytes));

  override readonly json = (): SyncPromise<unknown> => this.text().then((text) => JSON.parse(text) as unknown);

  override readonly arrayBuffer = (): SyncPromise<ArrayBuffer> => this.bytes().then(({ buffer }) => buffer);

  override readonly blob = (): SyncPromise<Blob> =>
    this.bytes().then((bytes) => new Blob([bytes], { type: this.headers.get('content-type') ?? '' }));

  override readonly formData = (): SyncPromise<FormData> =>
    SyncPromise.reject(new TypeError('A body in virtual time cannot be read as form data: it would take microtasks'));

  /** All bytes of the body. */
  readonly bytes = (): SyncPromise<OwnBytes> => {
    if (!this.#body) return SyncPromise.resolve(new Uint8Array());
    if (this.bodyUsed || this.#body.locked) return SyncPromise.reject(new TypeError('Body is unusable: Body has already been read'));
    return new SyncPromise((resolve, reject) => {
      // Bytes are copied: a chunk may be a part of a larger buffer, and the script's own.
      readBytes(this, { maxBytes: Infinity }).subscribe({ next: (bytes) => resolve(new Uint8Array(bytes)), error: reject });
    });
  };

  #chunks(): Observable<Uint8Array> | null {
    return this.#body?.chunks$ ?? null;
  }
}

/** True if `value` is a {@link VirtualResponse}, of whichever copy of the kit. */
export function isVirtualResponse(value: unknown): value is VirtualResponse {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** The bytes of a text, or the bytes as they are. */
export function toBytes(chunk: string | Uint8Array): Uint8Array {
  return typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}
