import { lastValueFrom, type Observable, toArray } from 'rxjs';

/** All values. */
export function all<T>(values$: Observable<T>): Promise<T[]> {
  return lastValueFrom(values$.pipe(toArray()));
}
