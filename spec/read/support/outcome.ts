import type { Observable } from 'rxjs';

/** Synchronous part of a source's output. */
export interface Outcome<T> {
  readonly values: T[];
  readonly error: unknown;
  readonly completed: boolean;
}

/** Subscribes, and tells what came of it by now. */
export function outcome<T>(source: Observable<T>): Outcome<T> {
  const values: T[] = [];
  let error: unknown;
  let completed = false;
  source.subscribe({
    next: (value) => values.push(value),
    error: (reason: unknown) => (error = reason),
    complete: () => (completed = true),
  });
  return { values, error, completed };
}
