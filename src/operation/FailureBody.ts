import { AsyncSubject, EMPTY, type Observable, Subscription } from 'rxjs';

/** Body of the failure that may still end an operation which waits at a gate: kept in memory, so that it holds no connection. */
export class FailureBody {
  #keeping = Subscription.EMPTY;
  #done$: Observable<unknown> = EMPTY;

  /** Completes when the body is kept, at once where there is none. */
  get done$(): Observable<unknown> {
    return this.#done$;
  }

  /** @param kept$ keeps the body, and emits when that is done */
  keep(kept$: Observable<void>): void {
    const done$ = new AsyncSubject<void>();
    this.#done$ = done$;
    this.#keeping = kept$.subscribe(done$);
  }

  /** Releases the body: nobody will read it any more. */
  release(): void {
    this.#keeping.unsubscribe();
    this.#done$ = EMPTY;
  }
}
