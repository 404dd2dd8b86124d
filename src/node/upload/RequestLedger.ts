import { Observable, type MonoTypeOperatorFunction } from 'rxjs';
import type { HttpEvent } from '../../request/HttpEvent.js';
import { elapsed } from '../../time.js';

/** Counts the requests of an upload as their events pass, and the time in which at least one of them waited. */
export class RequestLedger {
  /** Requests handed to the network, retries included. */
  requests = 0;
  /** Number of requests that were answered 429. */
  throttled = 0;
  readonly #began = elapsed();
  #waiting = 0;
  #waitingSince = 0;
  #waited = 0;

  /** Milliseconds in which at least one request waited: waits side by side count once. */
  get waited(): number {
    return this.#waited + (this.#waiting > 0 ? elapsed() - this.#waitingSince : 0);
  }

  /** Milliseconds since the ledger was opened. */
  get elapsed(): number {
    return elapsed() - this.#began;
  }

  /** Observes one operation. */
  enter<T extends HttpEvent | { readonly type: 'prepared' }>(): MonoTypeOperatorFunction<T> {
    return (events$) =>
      new Observable((subscriber) => {
        const turn = { waiting: false };
        const waits = (waiting: boolean): void => {
          if (waiting !== turn.waiting) this.#count(waiting ? 1 : -1);
          turn.waiting = waiting;
        };
        subscriber.add(
          events$.subscribe({
            next: (event) => {
              if (event.type === 'wait') waits(true);
              if (event.type === 'sent') {
                waits(false);
                this.requests++;
              }
              if (event.type === 'headers' && event.status === 429) this.throttled++;
              subscriber.next(event);
            },
            error: (error: unknown) => subscriber.error(error),
            complete: () => subscriber.complete(),
          }),
        );
        subscriber.add(() => waits(false));
      });
  }

  #count(change: 1 | -1): void {
    const now = elapsed();
    if (this.#waiting === 0) this.#waitingSince = now;
    this.#waiting += change;
    if (this.#waiting === 0) this.#waited += now - this.#waitingSince;
  }
}
