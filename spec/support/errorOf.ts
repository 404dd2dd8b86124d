import type { Observable } from 'rxjs';

/** Error of an observable; rejects if it completes instead. */
export function errorOf(source$: Observable<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    source$.subscribe({ error: resolve, complete: () => reject(new Error('it completed, but should have failed')) });
  });
}
