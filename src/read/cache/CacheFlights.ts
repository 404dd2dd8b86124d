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
import { isHttpError } from '../../request/errors/HttpError.js';
import type { Handler } from '../../request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';
import type { HttpRequest } from '../../request/HttpRequest.js';
import { ON_SEND } from '../../request/tokens.js';
import { wallClock } from '../../time.js';
import { flightKey, hidesCredentials } from './cacheKey.js';
import type { CacheShelf } from './CacheShelf.js';
import { type CacheDetail, type CacheStatus, statusOf } from './cacheStatus.js';
import type { StoredAnswer } from './CacheStore.js';
import { keepStream } from './keepStream.js';
import { isAbout, refreshedAnswer, validatorsOf } from './refreshedAnswer.js';

/** The end of a flight: an answer, kept or not. */
export interface Arrival {
  readonly type: 'arrival';
  readonly attempt: number;
  readonly answer: StoredAnswer;
  readonly status: CacheStatus;
  /** The body in its place, where a stream was asked for and the origin sends one. */
  readonly stream?: ReadableStream<Uint8Array>;
}

/** What a flight emits: the events of the road, and an arrival for the response. */
export type FlightEvent = Exclude<HttpEvent, ResponseEvent> | Arrival;

/** A request that is to be made. */
export interface Departure {
  /** The key of its resource. */
  readonly key: string;
  readonly request: HttpRequest;
  readonly next: Handler;
  /** The stored answer that the origin is asked about. */
  readonly stored?: StoredAnswer | undefined;
  /** Whether what arrives may be kept; `sent` are the header fields that it answers, those of the stations behind this one among them. */
  readonly isStorable: (answer: StoredAnswer, sent: Headers) => boolean;
}

/** What is known of a flight while it is in the air. */
interface Progress {
  /** A write made meanwhile has voided what it brings. */
  voided: boolean;
  /** The header fields that were sent. */
  sent: Headers;
  /** Credentials were added behind the cache: what it brings is for nobody but the first on board, unless the answer may be shared. */
  personal: boolean;
}

interface Flight extends Progress {
  readonly key: string;
  readonly events$: Observable<FlightEvent>;
}

/** The longest stream that is kept, where the request does not say, in bytes. */
const MAX_BYTES = 67_108_864;

/**
 * The requests in flight: however many subscribers want the same, one is made; when the last of them leaves, it is aborted. Who asks for a
 * stream flies alone, since nobody can read it twice.
 */
export class CacheFlights {
  readonly #shelf: CacheShelf;
  readonly #flying = new Map<string | symbol, Flight>();
  /** How often something was voided: a stream that was read meanwhile is not kept. */
  #voids = 0;

  constructor(shelf: CacheShelf) {
    this.#shelf = shelf;
  }

  /** Joins the flight of the same request, or starts one. */
  join(departure: Departure): Observable<FlightEvent> {
    return defer(() => {
      const { request } = departure;
      if (request.responseType === 'stream') return this.#start(Symbol('stream'), departure);
      const name = flightKey(request);
      const flying = this.#flying.get(name);
      if (!flying) return this.#start(name, departure);
      const alone$ = defer(() => this.#start(Symbol('alone'), departure));
      return flying.events$.pipe(
        concatMap((event) => (event.type === 'arrival' && flying.personal ? alone$ : of(collapsed(event)))),
        catchError((error: unknown) => (flying.personal && isHttpError(error) ? alone$ : throwError(() => error))),
      );
    });
  }

  /** What is in the air for a resource will not be kept, and nobody joins it any more. */
  void(key: string): void {
    this.#voids++;
    for (const [name, flight] of this.#flying) {
      if (flight.key !== key) continue;
      flight.voided = true;
      this.#flying.delete(name);
    }
  }

  #start(name: string | symbol, departure: Departure): Observable<FlightEvent> {
    const flight: Flight = {
      key: departure.key,
      voided: false,
      sent: departure.request.headers,
      personal: false,
      events$: defer(() => this.#fly(departure, flight)).pipe(
        // What comes after the arrival finds it on the shelf.
        tap(({ type }) => {
          if (type === 'arrival') this.#land(name, flight);
        }),
        finalize(() => this.#land(name, flight)),
        // Those who join late hear what has happened so far.
        share({ connector: () => new ReplaySubject(Infinity) }),
      ),
    };
    this.#flying.set(name, flight);
    return flight.events$;
  }

  #land(name: string | symbol, flight: Flight): void {
    if (this.#flying.get(name) === flight) this.#flying.delete(name);
  }

  #fly(departure: Departure, progress: Progress): Observable<FlightEvent> {
    const { key, request, next, stored } = departure;
    let sentAt = wallClock();
    const context = request.context.set(ON_SEND, (sent) => {
      progress.sent = sent;
      progress.personal = hidesCredentials(request.headers, sent);
      request.context.get(ON_SEND)?.(sent);
    });
    // Everybody on board has an abort of their own, and gets the body in the form they asked for.
    const responseType = request.responseType === 'stream' ? 'stream' : 'bytes';
    const common = { context, responseType, signal: undefined, abort$: undefined } as const;
    return next(request.clone({ ...common, setHeaders: stored ? validatorsOf(stored) : {} })).pipe(
      concatMap((event): Observable<FlightEvent> => {
        if (event.type === 'sent') sentAt = wallClock();
        if (event.type !== 'response') return of(event);
        const { status, url, headers, body, attempt } = event;
        const arrive = (answer: StoredAnswer, fwdStatus?: number): Observable<FlightEvent> =>
          this.#keep(departure, answer, progress).pipe(
            map((kept): Arrival => ({ type: 'arrival', attempt, answer, status: { ...kept, fwdStatus } })),
          );
        if (status !== 304 || !stored) {
          const bytes = body instanceof Uint8Array ? body : null;
          const answer: StoredAnswer = { kind: 'answer', status, url, headers: [...headers], sentAt, receivedAt: wallClock(), body: bytes };
          if (!(body instanceof ReadableStream)) return arrive(answer);
          return this.#pass(departure, answer, progress, body as ReadableStream<Uint8Array>).pipe(
            map(({ stream, status: kept }): Arrival => ({ type: 'arrival', attempt, answer, status: kept, stream })),
          );
        }
        // A 304 to something else than was asked about: the answer itself is needed.
        if (!isAbout({ url, headers }, stored)) return this.#fly({ ...departure, stored: undefined }, progress);
        return arrive(refreshedAnswer(stored, headers, sentAt, wallClock()), 304);
      }),
      catchError((error: unknown) => {
        const failed$ = throwError(() => error);
        const isGone = isHttpError(error) && (error.status === 404 || error.status === 410);
        return stored && isGone ? concat(this.#shelf.void(key).pipe(ignoreElements()), failed$) : failed$;
      }),
    );
  }

  #keep({ key, request, stored, isStorable }: Departure, answer: StoredAnswer, progress: Progress): Observable<CacheStatus> {
    const detail = progress.personal ? 'unseen-credentials' : undefined;
    const storable = isStorable(answer, progress.sent);
    if (storable) progress.personal = false;
    if (progress.voided) return of({ stored: false });
    // What is stored is not what the origin has any more.
    if (!storable) return stored ? this.#void(key, detail) : of({ stored: false, detail });
    return this.#shelf.put(key, request.headers, answer).pipe(
      // A store takes its time, in which a write may have gone by.
      concatMap((kept) => (kept.stored && progress.voided ? this.#void(key) : of(statusOf(kept)))),
    );
  }

  /** Hands on a stream, which is kept when it has been read to its end. */
  #pass(
    departure: Departure,
    answer: StoredAnswer,
    progress: Progress,
    stream: ReadableStream<Uint8Array>,
  ): Observable<{ readonly stream: ReadableStream<Uint8Array>; readonly status: CacheStatus }> {
    const { key, request, isStorable } = departure;
    const { maxBytes = MAX_BYTES } = request;
    if (!isStorable(answer, progress.sent)) return this.#keep(departure, answer, progress).pipe(map((status) => ({ stream, status })));
    const voids = this.#voids;
    const kept = keepStream(stream, maxBytes, (body) => {
      if (this.#voids === voids) this.#shelf.put(key, request.headers, { ...answer, body }).subscribe();
    });
    return of({ stream: kept, status: {} });
  }

  #void(key: string, detail?: CacheDetail): Observable<CacheStatus> {
    return this.#shelf.void(key).pipe(map(() => ({ stored: false, detail })));
  }
}

function collapsed(event: FlightEvent): FlightEvent {
  return event.type === 'arrival' ? { ...event, status: { ...event.status, collapsed: true } } : event;
}
