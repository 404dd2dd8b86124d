import { Observable } from 'rxjs';

/** Listeners of a limiter, counted. Each waiter listens, so the last one to leave shows that nobody waits. */
export class ListenerCount {
  /** The counted `source$`. */
  readonly counted$: Observable<void>;
  #listeners = 0;

  /** @param left called each time a listener has unsubscribed */
  constructor(source$: Observable<void>, left: () => void) {
    this.counted$ = new Observable((subscriber) => {
      this.#listeners++;
      subscriber.add(source$.subscribe(subscriber));
      subscriber.add(() => {
        this.#listeners--;
        left();
      });
    });
  }

  get isEmpty(): boolean {
    return this.#listeners === 0;
  }
}
