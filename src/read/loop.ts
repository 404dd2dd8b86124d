import { Observable, Subject, takeUntil } from 'rxjs';

/**
 * Subscribes to the observable that `step` gives, and when that has completed to the next one, until `step` gives none. Steps that complete
 * at once cause no recursion, and a step that has completed leaves nothing behind.
 *
 *     steps    (ab|)  5ms (c|)  none
 *     output   (ab)   5ms (c|)
 *
 * The next step is asked for only while somebody is subscribed: `take(2)` above would never ask for the second.
 */
export function loop<T>(step: () => Observable<T> | undefined): Observable<T> {
  return new Observable((subscriber) => {
    const closed$ = new Subject<void>();
    subscriber.add(() => closed$.next());

    /** True if the step completed at once. */
    const runStep = (): boolean => {
      const state = { completed: false, sync: true };
      try {
        const step$ = step();
        if (!step$) subscriber.complete();
        step$?.pipe(takeUntil(closed$)).subscribe({
          next: (value) => subscriber.next(value),
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            state.completed = true;
            if (!state.sync) run();
          },
        });
      } catch (error) {
        subscriber.error(error);
      }
      state.sync = false;
      return state.completed;
    };
    const run = (): void => {
      while (!subscriber.closed && runStep());
    };
    run();
  });
}
