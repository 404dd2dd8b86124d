import { from, map, type ObservableInput } from 'rxjs';
import { checkOptions, isFunction, requireThat } from '../../request/checkOptions.js';
import { LIMIT, pageOf } from './pageOf.js';
import type { FetchPage } from './paginate.js';

/** A page by number, for APIs that give the number of pages. */
export interface NumberedPage<T> {
  readonly items: readonly T[];
  /** Number of pages. */
  readonly pages?: number | null | undefined;
}

/** Options of {@link numberedPages}. */
export interface NumberedPagesOptions {
  /** The number of the first page; 1 by default. */
  readonly first?: number;
  /** Number of items of a full page. Give it only if the API keeps to it: a shorter page then ends the pages. */
  readonly limit?: number;
}

/**
 * The pages of an API that numbers them, for `paginate`. The last one is known by the API's number of `pages`, by a page shorter than
 * `limit` where that is given, else by an empty page (a client gives `null` for a 204); with `emptyPages: 'skip'` an empty page does not
 * end them.
 *
 * The cursor is the page's number, so `paginate(..., { from: 40 })` resumes there.
 *
 * @example
 * paginate(numberedPages((page) => http.get<Row[]>(`/rows?page=${page}`)));
 * paginate(numberedPages((page) => http.get<Result>(`/search?page=${page}`).pipe(map(({ hits, pageCount }) => ({ items: hits, pages: pageCount })))));
 *
 * @throws UsageError for unknown options, a first page that is no whole number, and a limit below 1
 */
export function numberedPages<T>(
  fetch: (page: number) => ObservableInput<readonly T[] | NumberedPage<T> | null>,
  options: NumberedPagesOptions = {},
): FetchPage<T, number> {
  checkOptions('numberedPages', options, {
    rules: { first: [Number.isSafeInteger, 'the number of the first page, 0 or 1 say'], limit: LIMIT },
  });
  const { first = 1, limit } = options;
  requireThat(isFunction(fetch), 'numberedPages', 'fetch', fetch, 'a function that gets the page of a number');
  return (number = first) =>
    from(fetch(number)).pipe(
      map((page) => {
        const { items, pages }: NumberedPage<T> = pageOf('numberedPages', page);
        const isLast = items.length < (limit ?? 0) || number - first + 1 >= (pages ?? Infinity);
        return { items, next: isLast ? undefined : number + 1 };
      }),
    );
}
