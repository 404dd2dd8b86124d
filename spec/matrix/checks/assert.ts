import type { Observable } from 'rxjs';
import { lastValueFrom, toArray } from 'rxjs';

/** Fails unless two values are the same as JSON. */
export function same(actual: unknown, expected: unknown): void {
  const [has, wants] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (has !== wants) throw new Error(`${has} instead of ${wants}`);
}

/** Fails unless `holds`, with what was seen instead. */
export function holds(holding: boolean, seen: unknown): void {
  if (!holding) throw new Error(`saw ${seen instanceof Error ? seen.toString() : JSON.stringify(seen)}`);
}

/** All values of an observable. */
export function valuesOf<T>(source: Observable<T>): Promise<T[]> {
  return lastValueFrom(source.pipe(toArray()));
}

/** The error that an observable ends with. */
export async function errorOf(source: Observable<unknown>): Promise<unknown> {
  const values: unknown[] = [];
  return new Promise((resolve, reject) => {
    source.subscribe({
      next: (value) => values.push(value),
      error: resolve,
      complete: () => reject(new Error(`no error, but ${JSON.stringify(values)}`)),
    });
  });
}

/** Fails unless an observable ends with an error that `is` takes. */
export async function failsBy<E>(source: Observable<unknown>, is: (error: unknown) => error is E): Promise<E> {
  const error = await errorOf(source);
  if (!is(error)) throw new Error(`failed by ${String(error)}`);
  return error;
}
