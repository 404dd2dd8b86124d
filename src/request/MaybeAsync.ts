import { from, isObservable, mergeMap, type Observable, take, throwIfEmpty } from 'rxjs';
import { UsageError } from './errors/UsageError.js';
import { isThenable } from './guards.js';

/** A value, a promise of it, or an observable of it. A plain value works in virtual time. */
export type MaybeAsync<T> = T | PromiseLike<T> | Observable<T>;

/**
 * Goes on with a value: at once where it is plain, else when its promise or observable has given it.
 *
 * @param place names what gives the value, for the UsageError about an observable that completes without one
 */
export function whenKnown<T, R>(value: MaybeAsync<T>, place: string, use: (value: T) => Observable<R>): Observable<R> {
  if (!isObservable(value)) return isThenable(value) ? from(value).pipe(mergeMap(use)) : use(value);
  const empty = (): UsageError => new UsageError(`${place}: the observable completed without a value`);
  return value.pipe(take(1), throwIfEmpty(empty), mergeMap(use));
}
