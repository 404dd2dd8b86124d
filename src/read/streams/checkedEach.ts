import type { StandardSchemaV1 } from '@standard-schema/spec';
import { from, map, mergeMap, type Observable, type ObservableInput } from 'rxjs';
import { checkSchema } from '../../request/checkSchema.js';

/** One value of a stream, and the check that it needs. */
export interface Unchecked<T> {
  readonly value: unknown;
  readonly schema: StandardSchemaV1;
  /** Name of the value, for the message. */
  readonly name: string;
  /** Makes the value that is passed on from the schema's output. */
  readonly toItem: (valid: unknown) => T;
}

/** Checks one value of a stream, then does the caller's work on it, if there is any. */
export function checkedEach<T, R>(
  { value, schema, name, toItem }: Unchecked<T>,
  each: ((item: T) => ObservableInput<R>) | undefined,
): Observable<T | R> {
  const item$ = checkSchema(schema, value, { name }).pipe(map(toItem));
  return each ? item$.pipe(mergeMap((item) => from(each(item)))) : item$;
}
