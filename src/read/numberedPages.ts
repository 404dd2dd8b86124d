import { from, map, type ObservableInput } from 'rxjs';
import { UsageError } from '../request/errors/UsageError.js';
import { isItems } from './isItems.js';
import type { FetchPage } from './paginate.js';

/** A page by number, for APIs that say how many pages there are. */
export interface NumberedPage<T> {
  readonly items: readonly T[];
  /** How many pages there are. */
  readonly pages?: number | undefined;
}

/** What {@link numberedPages} can be told. */
export interface NumberedPagesOptions {
  /** The number of the first page; 1 by default. */
  readonly first?: number;
  /** How many items a page has unless it is the last. Say it only if the API keeps to it: then a shorter page ends the pages. */
  readonly limit?: number;
}

/**
 * The pages of an API that numbers them, for `paginate`. It ends after the last one where the API says how many `pages` there are, after a
 * page shorter than `limit` where that is given, else at an empty page.
 *
 * The cursor is the page's number, so `paginate(..., { from: 40 })` resumes there.
 *
 * @example
 * paginate(numberedPages((page) => http.get<Row[]>(`/rows?page=${page}`)));
 * paginate(numberedPages((page) => http.get<Result>(`/search?page=${page}`).pipe(map(({ hits, pageCount }) => ({ items: hits, pages: pageCount })))));
 *
 * @throws UsageError for a first page that is no whole number, and a limit below 1
 */
export function numberedPages<T>(
  fetch: (page: number) => ObservableInput<readonly T[] | NumberedPage<T>>,
  { first = 1, limit = 1 }: NumberedPagesOptions = {},
): FetchPage<T, number> {
  if (!Number.isSafeInteger(first)) throw new UsageError(`numberedPages: first is ${first}; give the number of the first page, 0 or 1 say`);
  if (!(limit >= 1)) throw new UsageError(`numberedPages: limit is ${limit}; give the number of items of a page`);
  return (number = first) =>
    from(fetch(number)).pipe(
      map((page) => {
        const { items, pages = Infinity }: NumberedPage<T> = isItems(page) ? { items: page } : page;
        return { items, next: items.length < limit || number - first + 1 >= pages ? undefined : number + 1 };
      }),
    );
}
