import { connect, filter, merge, mergeMap, type Observable, type ObservableInput, type OperatorFunction } from 'rxjs';

/**
 * One stage of a pipeline that carries events and work: events pass at once, and each piece of work is replaced by its events and further
 * work.
 *
 * @param type tag of the work that this stage does
 * @param concurrency pieces worked on at once; the others wait in their order
 */
export function stage<E extends { readonly type: string }, W extends { readonly type: string }, R>(
  type: W['type'],
  project: (work: W) => ObservableInput<R>,
  concurrency: number,
): OperatorFunction<E | W, Exclude<E, W> | R> {
  const isWork = (value: E | W): value is W => value.type === type;
  const isEvent = (value: E | W): value is Exclude<E, W> => value.type !== type;
  return connect((values$: Observable<E | W>) =>
    merge(values$.pipe(filter(isEvent)), values$.pipe(filter(isWork), mergeMap(project, concurrency))),
  );
}
