import {
  catchError,
  concat,
  concatMap,
  defer,
  finalize,
  ignoreElements,
  map,
  type Observable,
  of,
  ReplaySubject,
  share,
  tap,
  throwError,
} from 'rxjs';
import { isReadableStream } from '../../request/bodyShapes.js';
import { MAX_BYTES } from '../../request/defaults.js';
import { isHttpError } from '../../request/errors/HttpError.js';
import type { Handler } from '../../request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { ON_SEND } from '../../request/tokens.js';
import { wallClock } from '../../time.js';
import { coalescingKey, hidesCredentials } from './cacheKey.js';
import { type CacheDetail, type CacheStatus, statusOf } from './cacheStatus.js';
import type { StoredResponse } from './CacheStore.js';
import { isComplete, keepStream } from './cachedBody.js';
import { isAbout, refreshedAnswer, validatorsOf } from './storedResponse.js';
import type { VariantStore } from './VariantStore.js';

/** Response of the origin, stored or not. */
export interface OriginAnswer {
  readonly type: 'answer';
  readonly attempt: number;
  readonly answer: StoredResponse;
  readonly status: CacheStatus;
  /** The body, where a stream was asked for and the origin sends one. */
  readonly stream?: ReadableStream<Uint8Array>;
}

/** Events of a request to the origin: those of the pipeline, with the origin's answer in place of the response. */
export type OriginEvent = Exclude<HttpEvent, ResponseEvent> | OriginAnswer;

/** A request to be made to the origin. */
export interface OriginRequest {
  /** Key of the resource. */
  readonly key: string;
  readonly request: HttpRequest;
  readonly next: Handler;
  /** Stored response to be validated. */
  readonly stored?: StoredResponse | undefined;
  /** True if a response may be stored; `sent` are the header fields of its request, those added behind the cache among them. */
  readonly isStorable: (answer: StoredResponse, sent: Headers) => boolean;
}

/** State of a request in flight. */
interface InFlightRequest {
  /** Key of the resource. */
  readonly key: string;
  readonly events$: Observable<OriginEvent>;
  /** True if a write has invalidated the response meanwhile. */
  isInvalid: boolean;
  /** Header fields that were sent. */
  sent: Headers;
  /** True if credentials were added behind the cache: the response is for the first subscriber only, unless it may be shared. */
  isPersonal: boolean;
}

/**
 * Requests in flight, coalesced: subscribers of the same request share one, which is aborted when the last of them leaves. A request for a
 * stream is never shared, since a stream can be read once only.
 */
export class InFlightRequests {
  readonly #variants: VariantStore;
  readonly #inFlight = new Map<string | symbol, InFlightRequest>();
  /** Count of invalidations: a stream that was being read during one is not stored. */
  #invalidations = 0;

  constructor(variants: VariantStore) {
    this.#variants = variants;
  }

  /** Joins the same request in flight, or makes it. */
  coalesce(wanted: OriginRequest): Observable<OriginEvent> {
    return defer(() => {
      const { request } = wanted;
      if (request.responseType === 'stream') return this.#start(Symbol('stream'), wanted);
      const name = coalescingKey(request);
      const inFlight = this.#inFlight.get(name);
      if (!inFlight) return this.#start(name, wanted);
      const separate$ = defer(() => this.#start(Symbol('separate'), wanted));
      return inFlight.events$.pipe(
        concatMap((event) => (event.type === 'answer' && inFlight.isPersonal ? separate$ : of(collapsed(event)))),
        catchError((error: unknown) => (inFlight.isPersonal && isHttpError(error) ? separate$ : throwError(() => error))),
      );
    });
  }

  /** Invalidates the requests in flight for a resource: their responses are not stored, and nobody joins them any more. */
  invalidate(key: string): void {
    this.#invalidations++;
    for (const [name, inFlight] of this.#inFlight) {
      if (inFlight.key !== key) continue;
      inFlight.isInvalid = true;
      this.#inFlight.delete(name);
    }
  }

  #start(name: string | symbol, wanted: OriginRequest): Observable<OriginEvent> {
    const inFlight: InFlightRequest = {
      key: wanted.key,
      isInvalid: false,
      sent: wanted.request.headers,
      isPersonal: false,
      events$: defer(() => this.#send(wanted, inFlight)).pipe(
        // Later subscribers find the response in the store.
        tap(({ type }) => {
          if (type === 'answer') this.#settle(name, inFlight);
        }),
        finalize(() => this.#settle(name, inFlight)),
        // Late subscribers get the events so far.
        share({ connector: () => new ReplaySubject(Infinity) }),
      ),
    };
    this.#inFlight.set(name, inFlight);
    return inFlight.events$;
  }

  #settle(name: string | symbol, inFlight: InFlightRequest): void {
    if (this.#inFlight.get(name) === inFlight) this.#inFlight.delete(name);
  }

  #send(wanted: OriginRequest, inFlight: InFlightRequest): Observable<OriginEvent> {
    const { key, request, next, stored } = wanted;
    let sentAt = wallClock();
    const context = request.context.set(ON_SEND, (sent) => {
      inFlight.sent = sent;
      inFlight.isPersonal = hidesCredentials(request.headers, sent);
      request.context.get(ON_SEND)?.(sent);
    });
    // Each subscriber has an abort of its own, and gets the body in the form that it asked for.
    const responseType = request.responseType === 'stream' ? 'stream' : 'bytes';
    const common = { context, responseType, signal: undefined, abort$: undefined } as const;
    return next(request.clone({ ...common, setHeaders: stored ? validatorsOf(stored) : {} })).pipe(
      concatMap((event): Observable<OriginEvent> => {
        if (event.type === 'sent') sentAt = wallClock();
        if (event.type !== 'response') return of(event);
        const { status, url, headers, body, attempt } = event;
        const answered = (answer: StoredResponse, fwdStatus?: number): Observable<OriginEvent> =>
          this.#keep(wanted, answer, inFlight).pipe(
            map((kept): OriginAnswer => ({ type: 'answer', attempt, answer, status: { ...kept, fwdStatus } })),
          );
        if (status !== 304 || !stored) {
          const bytes = body instanceof Uint8Array ? body : null;
          const answer: StoredResponse = {
            kind: 'answer',
            status,
            url,
            headers: [...headers],
            sentAt,
            receivedAt: wallClock(),
            body: bytes,
          };
          if (!isReadableStream(body)) return answered(answer);
          return this.#pass(wanted, answer, inFlight, body).pipe(
            map(({ stream, status: kept }): OriginAnswer => ({ type: 'answer', attempt, answer, status: kept, stream })),
          );
        }
        // A 304 about another response than the stored one is of no use: the response itself is fetched.
        if (!isAbout({ url, headers }, stored)) return this.#send({ ...wanted, stored: undefined }, inFlight);
        return answered(refreshedAnswer(stored, headers, sentAt, wallClock()), 304);
      }),
      catchError((error: unknown) => {
        const failed$ = throwError(() => error);
        const isGone = isHttpError(error) && (error.status === 404 || error.status === 410);
        return stored && isGone ? concat(this.#variants.invalidate(key).pipe(ignoreElements()), failed$) : failed$;
      }),
    );
  }

  #keep({ key, request, stored, isStorable }: OriginRequest, answer: StoredResponse, inFlight: InFlightRequest): Observable<CacheStatus> {
    const isWhole = isComplete(answer, request.method);
    const detail = inFlight.isPersonal ? 'unseen-credentials' : isWhole ? undefined : 'incomplete-body';
    const mayShare = isStorable(answer, inFlight.sent);
    if (mayShare) inFlight.isPersonal = false;
    if (inFlight.isInvalid) return of({ stored: false });
    // The stored response is out of date: the origin has another.
    if (!mayShare || !isWhole) return stored ? this.#invalidate(key, detail) : of({ stored: false, detail });
    return this.#variants.put(key, request.headers, answer).pipe(
      // A write may have happened while the store was busy.
      concatMap((kept) => (kept.stored && inFlight.isInvalid ? this.#invalidate(key) : of(statusOf(kept)))),
    );
  }

  /** Hands on a stream, which is stored when it has been read to its end. */
  #pass(
    wanted: OriginRequest,
    answer: StoredResponse,
    inFlight: InFlightRequest,
    stream: ReadableStream<Uint8Array>,
  ): Observable<{ readonly stream: ReadableStream<Uint8Array>; readonly status: CacheStatus }> {
    const { key, request, isStorable } = wanted;
    const { maxBytes = MAX_BYTES } = request;
    if (!isStorable(answer, inFlight.sent)) return this.#keep(wanted, answer, inFlight).pipe(map((status) => ({ stream, status })));
    const invalidations = this.#invalidations;
    const kept = keepStream(stream, maxBytes, (body) => {
      const whole = { ...answer, body };
      if (this.#invalidations === invalidations && isComplete(whole, request.method)) {
        this.#variants.put(key, request.headers, whole).subscribe();
      }
    });
    return of({ stream: kept, status: {} });
  }

  #invalidate(key: string, detail?: CacheDetail): Observable<CacheStatus> {
    return this.#variants.invalidate(key).pipe(map(() => ({ stored: false, detail })));
  }
}

function collapsed(event: OriginEvent): OriginEvent {
  return event.type === 'answer' ? { ...event, status: { ...event.status, collapsed: true } } : event;
}
