import {
  BehaviorSubject,
  catchError,
  concat,
  concatMap,
  defer,
  filter,
  from,
  map,
  type Observable,
  type ObservableInput,
  of,
  take,
  tap,
} from 'rxjs';
import { ANY, checkOptions, isFrom1, isFunction, isNotNegative, type OptionTable, requireThat } from '../../request/checkOptions.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import { cycleDetector, cursorText } from './cycleDetector.js';
import { loop } from '../loop.js';
import { PaginationError } from './PaginationError.js';
import { filePaginationReport } from './paginationReport.js';

/** One page of an API. */
export interface Page<T, C> {
  readonly items: readonly T[];
  /** Cursor of the page after this one; `null`, `''` or missing: there is none. */
  readonly next?: C | null | undefined;
}

/** Fetches one page; `cursor` is undefined for the first. */
export type FetchPage<T, C> = (cursor: C | undefined) => ObservableInput<Page<T, C>>;

/** Options of {@link paginate}. */
export interface PaginateOptions<C> {
  /** Most pages; 50 by default. One more is an error, since an API that ignores its cursor never ends. */
  readonly maxPages?: number;
  /** Cursor to resume from; by default the first page. */
  readonly from?: C | undefined;
  /**
   * Treatment of a page without items, whatever its `next`: it ends the pages (`'end'`, the default), or may stand between others
   * (`'skip'`).
   */
  readonly emptyPages?: 'end' | 'skip';
  /** Most pages that are fetched beyond the one whose items `each` works on; 0 by default. */
  readonly readAhead?: number;
}

/** {@link PaginateOptions} with work to be done for each item. */
export interface PaginateEachOptions<T, R, C> extends PaginateOptions<C> {
  /** Work on one item, in order, one at a time. The next page is asked for when the work on a page's last item has completed. */
  readonly each: (item: T) => ObservableInput<R>;
}

/** Rules of these options. */
export const PAGING: OptionTable<PaginateOptions<never> & PaginateEachOptions<never, unknown, never>>['rules'] = {
  maxPages: [isFrom1, 'a number from 1, or Infinity'],
  from: ANY,
  emptyPages: [(value) => value === 'end' || value === 'skip', "'end' or 'skip'"],
  readAhead: [isNotNegative, 'a number of pages, 0 or more'],
  each: [isFunction, 'a function that works on an item'],
};

/**
 * The items of all pages of an API: one page after the other, each fetched when it is wanted.
 *
 *     pages    (ab|)   (cd|)   (e|)
 *     output   (ab)    (cd)    (e|)
 *
 * A page is asked for when everybody downstream has returned from the items before it, so `take(10)` fetches no page in vain. RxJS cannot
 * hold pages back for work that goes on after that: give such work as `each`, and `readAhead` to fetch during it.
 *
 * - Each page is a request of its own: put retry into `fetchPage` (a client has it), and a failure on page 40 repeats page 40 alone.
 * - It ends with a page that has no `next` (or an empty one, as Slack says it), and with a page without items. A cursor that comes again, or
 *   a page above `maxPages`, is a {@link PaginationError}, after the items of the pages before.
 * - Whatever ends it, `paginationReport(error)` has the cursor to resume `from`.
 *
 * Cold; memory does not grow with the number of pages. Unsubscribing ends the page that is being fetched.
 *
 * @example
 * const users$ = paginate((cursor) => http.get<UserPage>('/users', { params: { cursor } }).pipe(map(({ users, next }) => ({ items: users, next }))));
 * paginate(offsetPages((offset) => http.get<Row[]>(`/rows?offset=${offset}`))).pipe(take(10));
 *
 * @throws UsageError for unknown options, and for those that are no sensible numbers
 */
export function paginate<T, R, C = string>(fetchPage: FetchPage<T, C>, options: PaginateEachOptions<T, R, C>): Observable<R>;
export function paginate<T, C = string>(fetchPage: FetchPage<T, C>, options?: PaginateOptions<C>): Observable<T>;
export function paginate<T, R, C>(
  fetchPage: FetchPage<T, C>,
  options: PaginateOptions<C> & Partial<PaginateEachOptions<T, R, C>> = {},
): Observable<T | R> {
  requireThat(isFunction(fetchPage), 'paginate', 'fetchPage', fetchPage, 'a function that gets the page of a cursor');
  checkOptions('paginate', options, { rules: PAGING });
  const { maxPages = 50, emptyPages = 'end', readAhead = 0, each } = options;

  return defer(() => {
    const isRepeated = cycleDetector();
    let cursor = options.from;
    let ended = false;
    let fetched = 0;
    let pages = 0;
    let items = 0;
    /** Pages that have arrived, but whose items have not all been passed on. */
    const held$ = new BehaviorSubject(0);
    if (cursor !== undefined) isRepeated(cursor);

    function fail(error: unknown, at: unknown): never {
      filePaginationReport(error, { cursor: at, pages, items });
      throw error;
    }

    /** Passes on the items of one page. */
    function itemsOf(page: Page<T, C>, at: C | undefined): Observable<T | R> {
      if (!Array.isArray((page as Page<T, C> | null | undefined)?.items))
        throw new UsageError('paginate: a page has no array of items; fetchPage gives { items, next }');
      const counted$ = from(page.items).pipe(tap(() => items++));
      const values$: Observable<T | R> = each ? counted$.pipe(concatMap(each)) : counted$;
      return concat(
        values$.pipe(catchError((error: unknown) => fail(error, at))),
        defer(() => {
          pages++;
          held$.next(held$.value - 1);
          return [];
        }),
      );
    }

    /** Moves on to the next page; returns the mistake in its cursor, if any. */
    function follow({ items: { length }, next }: Page<T, C>): string | undefined {
      if (next == null || next === '' || (length === 0 && emptyPages === 'end')) return undefined;
      cursor = next;
      if (isRepeated(next)) return `The cursor ${show(next)} came a second time; the API would go in circles`;
      if (fetched >= maxPages) {
        const advice = 'the API may be ignoring the cursor; if it is not, raise maxPages or resume from that cursor';
        return `There are more than ${maxPages} pages, the next has the cursor ${show(next)}: ${advice}`;
      }
      ended = false;
      return undefined;
    }

    const fetch$ = defer(() => {
      ended = true;
      return fetchPage(cursor);
    });
    const arrivals$ = loop(() =>
      ended
        ? undefined
        : held$.pipe(
            filter((held) => held <= readAhead),
            take(1),
            concatMap(() => fetch$),
            take(1),
            map((page) => {
              const at = cursor;
              const page$ = itemsOf(page, at);
              fetched++;
              held$.next(held$.value + 1);
              const problem = follow(page);
              if (problem === undefined) return page$;
              const next = cursor;
              return concat(
                page$,
                defer(() => fail(new PaginationError(problem), next)),
              );
            }),
            // The error waits for the items of the pages before.
            catchError((error: unknown) => {
              const at = cursor;
              return of(defer(() => fail(error, at)));
            }),
          ),
    );
    return arrivals$.pipe(concatMap((page$) => page$));
  });
}

// A URL's query may hold a key, so messages leave it out.
function show(cursor: unknown): string {
  const isUrl = typeof cursor === 'string' && /^(https?:\/)?\//i.test(cursor);
  const text = (isUrl ? `"${withoutSecrets(cursor)}"` : cursorText(cursor)) ?? String(cursor);
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
