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
import { isHttpError } from '../request/errors/HttpError.js';
import type { Handler } from '../request/Handler.js';
import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { wallClock } from '../time.js';
import { flightKey } from './cacheKey.js';
import type { CacheShelf } from './CacheShelf.js';
import type { CacheStatus } from './cacheStatus.js';
import type { StoredAnswer } from './CacheStore.js';
import { isAbout, refreshedAnswer, validatorsOf } from './refreshedAnswer.js';

/** The end of a flight: an answer, kept or not. */
export interface Arrival {
  readonly type: 'arrival';
  readonly attempt: number;
  readonly answer: StoredAnswer;
  readonly status: CacheStatus;
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
  /** Whether what arrives may be kept. */
  readonly isStorable: (answer: StoredAnswer) => boolean;
}

interface Flight {
  readonly key: string;
  readonly events$: Observable<FlightEvent>;
  /** A write made while it was in the air has voided what it brings. */
  voided: boolean;
}

/** The requests in flight: however many subscribers want the same, one is made; when the last of them leaves, it is aborted. */
export class CacheFlights {
  readonly #shelf: CacheShelf;
  readonly #flying = new Map<string, Flight>();

  constructor(shelf: CacheShelf) {
    this.#shelf = shelf;
  }

  /** Joins the flight of the same request, or starts one. */
  join(departure: Departure): Observable<FlightEvent> {
    return defer(() => {
      const name = flightKey(departure.request);
      const flying = this.#flying.get(name);
      if (flying) return flying.events$.pipe(map(collapsed));
      const flight: Flight = {
        key: departure.key,
        voided: false,
        events$: defer(() => this.#fly(departure, () => flight.voided)).pipe(
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
    });
  }

  /** What is in the air for a resource will not be kept, and nobody joins it any more. */
  void(key: string): void {
    for (const [name, flight] of this.#flying) {
      if (flight.key !== key) continue;
      flight.voided = true;
      this.#flying.delete(name);
    }
  }

  #land(name: string, flight: Flight): void {
    if (this.#flying.get(name) === flight) this.#flying.delete(name);
  }

  #fly(departure: Departure, isVoided: () => boolean): Observable<FlightEvent> {
    const { key, request, next, stored } = departure;
    // Everybody on board has an abort of their own, and gets the body in the form they asked for.
    const common = { responseType: 'bytes', signal: undefined, abort$: undefined } as const;
    let sentAt = wallClock();
    return next(request.clone({ ...common, setHeaders: stored ? validatorsOf(stored) : {} })).pipe(
      concatMap((event): Observable<FlightEvent> => {
        if (event.type === 'sent') sentAt = wallClock();
        if (event.type !== 'response') return of(event);
        const { status, url, headers, body, attempt } = event;
        if (status !== 304 || !stored) {
          const answer: StoredAnswer = {
            kind: 'answer',
            status,
            url,
            headers: [...headers],
            sentAt,
            receivedAt: wallClock(),
            body: body instanceof Uint8Array ? body : null,
          };
          return this.#keep(departure, answer, isVoided()).pipe(
            map((kept) => ({ type: 'arrival', attempt, answer, status: { stored: kept } })),
          );
        }
        // A 304 to something else than was asked about: the answer itself is needed.
        if (!isAbout(headers, stored)) return this.#fly({ ...departure, stored: undefined }, isVoided);
        const answer = refreshedAnswer(stored, headers, sentAt, wallClock());
        return this.#keep(departure, answer, isVoided()).pipe(
          map((kept) => ({ type: 'arrival', attempt, answer, status: { fwdStatus: 304, stored: kept } })),
        );
      }),
      catchError((error: unknown) => {
        const failed$ = throwError(() => error);
        const isGone = isHttpError(error) && (error.status === 404 || error.status === 410);
        return stored && isGone ? concat(this.#shelf.void(key).pipe(ignoreElements()), failed$) : failed$;
      }),
    );
  }

  #keep({ key, request, stored, isStorable }: Departure, answer: StoredAnswer, voided: boolean): Observable<boolean> {
    if (voided) return of(false);
    if (isStorable(answer)) return this.#shelf.put(key, request.headers, answer);
    // What is stored is not what the origin has any more.
    return stored ? this.#shelf.void(key).pipe(map(() => false)) : of(false);
  }
}

function collapsed(event: FlightEvent): FlightEvent {
  return event.type === 'arrival' ? { ...event, status: { ...event.status, collapsed: true } } : event;
}
