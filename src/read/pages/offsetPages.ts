import { from, map, type ObservableInput } from 'rxjs';
import { checkOptions, isFunction, requireThat } from '../../request/checkOptions.js';
import { LIMIT, pageOf } from './pageOf.js';
import type { FetchPage } from './paginate.js';

/** A page by offset, for APIs that say how many items there are. */
export interface OffsetPage<T> {
  readonly items: readonly T[];
  /** How many items there are in all pages together. */
  readonly total?: number | null | undefined;
}

/** Options of {@link offsetPages}. */
export interface OffsetPagesOptions {
  /** How many items a page has unless it is the last. Say it only if the API keeps to it: then a shorter page ends the pages. */
  readonly limit?: number;
}

/**
 * The pages of an API that is asked by offset, for `paginate`: the next page begins after the items so far. It ends at `total` where the API
 * says it, after a page shorter than `limit` where that is given, else at an empty page (a client makes `null` of a 204).
 *
 * The cursor is the offset, so `paginate(..., { from: 300 })` resumes there.
 *
 * @example
 * paginate(offsetPages((offset) => http.get<Row[]>(`/rows?offset=${offset}&limit=100`), { limit: 100 }));
 *
 * @throws UsageError for unknown options, and a limit below 1
 */
export function offsetPages<T>(
  fetch: (offset: number) => ObservableInput<readonly T[] | OffsetPage<T> | null>,
  options: OffsetPagesOptions = {},
): FetchPage<T, number> {
  checkOptions('offsetPages', options, { rules: { limit: LIMIT } });
  const { limit = 1 } = options;
  requireThat(isFunction(fetch), 'offsetPages', 'fetch', fetch, 'a function that gets the page at an offset');
  return (offset = 0) =>
    from(fetch(offset)).pipe(
      map((page) => {
        const { items, total }: OffsetPage<T> = pageOf('offsetPages', page);
        const next = offset + items.length;
        return { items, next: items.length < limit || next >= (total ?? Infinity) ? undefined : next };
      }),
    );
}
