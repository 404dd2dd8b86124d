import { AsyncSubject, EMPTY, type Observable, Subscription } from 'rxjs';
import { keepBody } from '../transport/keepBody.js';

/** The body of the failure that an operation may still end with, while it waits at a gate: kept, so that it holds no connection. */
export class FailureBody {
  #keeping = Subscription.EMPTY;
  #done$: Observable<unknown> = EMPTY;

  /** Completes when the body is kept, at once where there is none. */
  get done$(): Observable<unknown> {
    return this.#done$;
  }

  keep(response: Response | undefined): void {
    const done$ = new AsyncSubject<void>();
    this.#done$ = done$;
    this.#keeping = keepBody(response).subscribe(done$);
  }

  /** Nobody will read it any more. */
  release(): void {
    this.#keeping.unsubscribe();
    this.#done$ = EMPTY;
  }
}
