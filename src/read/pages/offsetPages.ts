import { from, map, type ObservableInput } from 'rxjs';
import { checkOptions, isFunction, requireThat } from '../../request/checkOptions.js';
import { LIMIT, pageOf } from './pageOf.js';
import type { FetchPage } from './paginate.js';

/** A page by offset, for APIs that give the number of items. */
export interface OffsetPage<T> {
  readonly items: readonly T[];
  /** Number of items of all pages together. */
  readonly total?: number | null | undefined;
}

/** Options of {@link offsetPages}. */
export interface OffsetPagesOptions {
  /** Number of items of a full page. Give it only if the API keeps to it: a shorter page then ends the pages. */
  readonly limit?: number;
}

/**
 * The pages of an API that is asked by offset, for `paginate`: the next page begins after the items so far. The last one is known by the
 * API's `total`, by a page shorter than `limit` where that is given, else by an empty page (a client gives `null` for a 204).
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
