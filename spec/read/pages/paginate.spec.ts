import { defer, lastValueFrom, map, NEVER, Observable, of, retry, take, throwError, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { numberedPages } from '../../../src/read/pages/numberedPages.js';
import { offsetPages } from '../../../src/read/pages/offsetPages.js';
import { type FetchPage, type Page, paginate } from '../../../src/read/pages/paginate.js';
import { isPaginationError } from '../../../src/read/pages/PaginationError.js';
import { paginationReport } from '../../../src/read/pages/paginationReport.js';
import { isUsageError } from '../../../src/request/errors/UsageError.js';
import { elapsed, wait } from '../../../src/time.js';
import { failureOf } from '../../support/failureOf.js';
import { outcome } from '../support/outcome.js';

const TOTAL = 1_001;
const SIZE = 100;
const ROWS = Array.from({ length: TOTAL }, (_, i) => i);

/** An API that gives `pages` in turn, whatever the cursor; it notes what it was asked for. */
function scripted(pages: readonly Page<number, string>[]): { fetchPage: FetchPage<number, string>; asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  return {
    asked,
    fetchPage: (cursor) => {
      asked.push(cursor);
      return of(pages[asked.length - 1] ?? { items: [] });
    },
  };
}

/** 1,001 rows by cursor. */
function rows(): { fetchPage: FetchPage<number, string>; asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  return {
    asked,
    fetchPage: (cursor) => {
      asked.push(cursor);
      const start = Number(cursor ?? 0);
      const next = start + SIZE;
      return of({ items: ROWS.slice(start, next), next: next < TOTAL ? String(next) : null });
    },
  };
}

describe('paginate', () => {
  describe('gives 1,001 items at 100 a page', () => {
    it('by cursor, in 11 requests', () => {
      const { fetchPage, asked } = rows();
      expect(outcome(paginate(fetchPage))).toEqual({ values: ROWS, error: undefined, completed: true });
      expect(asked).toEqual([undefined, ...Array.from({ length: 10 }, (_, i) => String((i + 1) * SIZE))]);
    });

    it.each([
      ['until an empty page', {}, undefined, 12],
      ['until a page shorter than its limit', { limit: SIZE }, undefined, 11],
      ['until the total that the API tells', {}, TOTAL, 11],
    ])('by offset, %s', (_, options, total, requests) => {
      const asked: number[] = [];
      const fetchPage = offsetPages((offset) => {
        asked.push(offset);
        const items = ROWS.slice(offset, offset + SIZE);
        return of(total === undefined ? items : { items, total });
      }, options);
      expect(outcome(paginate(fetchPage)).values).toEqual(ROWS);
      expect(asked).toEqual(Array.from({ length: requests }, (_, i) => Math.min(i * SIZE, TOTAL)));
    });

    it.each([
      ['from 1, until an empty page', {}, undefined, 12],
      ['from 0, until a page shorter than its limit', { first: 0, limit: SIZE }, undefined, 11],
      ['from 1, until the number of pages that the API tells', {}, 11, 11],
    ])('by number, %s', (_, options, pages, requests) => {
      const { first = 1 }: { first?: number } = options;
      const asked: number[] = [];
      const fetchPage = numberedPages((page) => {
        asked.push(page);
        const items = ROWS.slice((page - first) * SIZE, (page - first + 1) * SIZE);
        return of(pages === undefined ? items : { items, pages });
      }, options);
      expect(outcome(paginate(fetchPage)).values).toEqual(ROWS);
      expect(asked).toEqual(Array.from({ length: requests }, (_, i) => first + i));
    });
  });

  it('does nothing before it is subscribed, and starts over for each subscription', () => {
    const { fetchPage, asked } = rows();
    const rows$ = paginate(fetchPage).pipe(take(1));
    expect(asked).toEqual([]);
    rows$.subscribe();
    rows$.subscribe();
    expect(asked).toEqual([undefined, undefined]);
  });

  it('takes promises for pages', async () => {
    expect(
      await lastValueFrom(paginate((cursor) => Promise.resolve({ items: [cursor ?? 'first'], next: cursor ? null : 'b' })).pipe(toArray())),
    ).toEqual(['first', 'b']);
  });

  it('knows the types of items and cursors', () => {
    expectTypeOf(paginate(() => of({ items: [1], next: 'b' }))).toEqualTypeOf<Observable<number>>();
    expectTypeOf(paginate((cursor) => of({ items: [cursor] }))).toEqualTypeOf<Observable<string | undefined>>();
    expectTypeOf(paginate((cursor?: number) => of({ items: ['a'], next: (cursor ?? 0) + 1 }))).toEqualTypeOf<Observable<string>>();
    expectTypeOf(paginate(offsetPages(() => of([true])))).toEqualTypeOf<Observable<boolean>>();
    expectTypeOf(paginate(() => of({ items: [1] }), { each: (n) => of(String(n)) })).toEqualTypeOf<Observable<string>>();
  });

  describe('asks for a page only when it is wanted', () => {
    it.each([
      [10, 1],
      [100, 1],
      [101, 2],
      [1000, 10],
    ])('take(%i) fetches %i pages', (count, requests) => {
      const { fetchPage, asked } = rows();
      expect(outcome(paginate(fetchPage).pipe(take(count))).values).toHaveLength(count);
      expect(asked).toHaveLength(requests);
    });

    it('with work for each item: after that of the last item', () => {
      const log: string[] = [];
      new TestScheduler(() => {}).run(() => {
        paginate(
          (cursor) => {
            log.push(`${elapsed()} page ${cursor ?? 'a'}`);
            return wait(5).pipe(map(() => ({ items: [1, 2], next: cursor ? null : 'b' })));
          },
          {
            each: (item) => {
              log.push(`${elapsed()} item ${item}`);
              return wait(10);
            },
          },
        ).subscribe();
      });
      expect(log).toEqual(['0 page a', '5 item 1', '15 item 2', '25 page b', '30 item 1', '40 item 2']);
    });

    it('with read-ahead: as many pages in advance as told', () => {
      const fetchedAt = (readAhead: number): number[] => {
        const times: number[] = [];
        new TestScheduler(() => {}).run(() => {
          paginate(
            numberedPages((page) => {
              times.push(elapsed());
              return wait(5).pipe(map(() => ({ items: [page], pages: 5 })));
            }),
            { each: () => wait(10), readAhead },
          ).subscribe();
        });
        return times;
      };
      expect(fetchedAt(0)).toEqual([0, 15, 30, 45, 60]);
      expect(fetchedAt(1)).toEqual([0, 5, 15, 25, 35]);
      expect(fetchedAt(2)).toEqual([0, 5, 10, 15, 25]);
    });

    it('ends the page that is being fetched when it is unsubscribed', () => {
      let ended = false;
      const never = new Observable<Page<number, string>>(() => () => {
        ended = true;
      });
      paginate(() => never)
        .subscribe()
        .unsubscribe();
      expect(ended).toBe(true);
    });
  });

  describe('ends', () => {
    it('at an empty page, whatever it says of a next one', () => {
      const { fetchPage, asked } = scripted([{ items: [1], next: 'b' }, { items: [], next: 'c' }, { items: [3] }]);
      expect(outcome(paginate(fetchPage))).toEqual({ values: [1], error: undefined, completed: true });
      expect(asked).toEqual([undefined, 'b']);
    });

    it('not at an empty page if told that those are legal', () => {
      const { fetchPage } = scripted([{ items: [1], next: 'b' }, { items: [], next: 'c' }, { items: [3] }]);
      expect(outcome(paginate(fetchPage, { emptyPages: 'skip' })).values).toEqual([1, 3]);
    });

    it.each<Page<number, string>['next']>([null, '', undefined])('at a page whose next is %j', (next) => {
      const { fetchPage, asked } = scripted([{ items: [1], next: 'b' }, { items: [2], next }, { items: [3] }]);
      expect(outcome(paginate(fetchPage))).toEqual({ values: [1, 2], error: undefined, completed: true });
      expect(asked).toEqual([undefined, 'b']);
    });

    it.each([
      ['by number', paginate(numberedPages((page) => of(page < 3 ? [page] : null)))],
      ['by offset', paginate(offsetPages((offset) => of(offset < 2 ? [offset + 1] : null)))],
    ])('at a page without content (204), %s', (_, items$) => {
      expect(outcome(items$)).toEqual({ values: [1, 2], error: undefined, completed: true });
    });

    it('at an empty page by number only where it is the last, if told that those are legal', () => {
      const pages = numberedPages((page) => of({ items: page === 2 ? [] : [page], pages: 4 }));
      expect(outcome(paginate(pages)).values).toEqual([1]);
      expect(outcome(paginate(pages, { emptyPages: 'skip' })).values).toEqual([1, 3, 4]);
    });

    it('where the API does not know how many there are (null), at an empty page', () => {
      const fetchPage = (at: number) => of({ items: at < 3 ? [at] : [], total: null, pages: null });
      expect(outcome(paginate(numberedPages(fetchPage))).values).toEqual([1, 2]);
      expect(outcome(paginate(offsetPages(fetchPage))).values).toEqual([0, 1, 2]);
    });

    it('at a page that never came', () => {
      expect(outcome(paginate(() => [] as Page<number, string>[]))).toEqual({ values: [], error: undefined, completed: true });
    });

    it.each([
      ['A, A', ['A', 'A'], 'A', 2],
      ['A, B, A', ['A', 'B', 'A'], 'A', 3],
    ])('with an error at the cursors %s, after the items so far', (_, cursors, repeated, requests) => {
      const { fetchPage, asked } = scripted(cursors.map((next, i) => ({ items: [i], next })));
      const { values, error } = outcome(paginate(fetchPage));
      expect(values).toEqual(cursors.map((_, i) => i));
      expect(asked).toHaveLength(requests);
      expect(isPaginationError(error)).toBe(true);
      expect((error as Error).message).toContain(`"${repeated}" came a second time`);
    });

    it('with an error when it comes back to the cursor that it was resumed from', () => {
      const { fetchPage } = scripted([
        { items: [1], next: 'B' },
        { items: [2], next: 'A' },
      ]);
      expect(isPaginationError(outcome(paginate(fetchPage, { from: 'A' })).error)).toBe(true);
    });

    it('with an error at the 51st page that says that the API may be ignoring the cursor', () => {
      let requests = 0;
      const { values, error } = outcome(paginate(numberedPages(() => of([requests++]))));
      expect({ values: values.length, requests }).toEqual({ values: 50, requests: 50 });
      expect(isPaginationError(error) && paginationReport(error)).toEqual({ cursor: 51, pages: 50, items: 50 });
      expect((error as Error).message).toBe(
        'There are more than 50 pages, the next has the cursor 51: the API may be ignoring the cursor; if it is not, raise maxPages or resume from that cursor',
      );
    });

    it('without an error when there are exactly maxPages', () => {
      const { fetchPage } = rows();
      expect(outcome(paginate(fetchPage, { maxPages: 11 })).completed).toBe(true);
      expect(isPaginationError(outcome(paginate(fetchPage, { maxPages: 10 })).error)).toBe(true);
    });
  });

  describe('when a page fails', () => {
    it('repeats that page alone', () => {
      const asked: (string | undefined)[] = [];
      const { fetchPage } = rows();
      let failures = 0;
      const flaky: FetchPage<number, string> = (cursor) =>
        defer(() => {
          asked.push(cursor);
          return cursor === '400' && failures++ < 2 ? throwError(() => new Error('503')) : fetchPage(cursor);
        }).pipe(retry(3));
      expect(outcome(paginate(flaky)).values).toEqual(ROWS);
      expect(asked.filter((cursor) => cursor === '400')).toHaveLength(3);
      expect(asked).toHaveLength(13);
    });

    it('passes the very error on, and tells the cursor to resume from', () => {
      const failure = new Error('500');
      const { fetchPage } = rows();
      const { values, error } = outcome(paginate((cursor) => (cursor === '400' ? throwError(() => failure) : fetchPage(cursor))));
      expect(values).toHaveLength(400);
      expect(error).toBe(failure);
      expect(paginationReport(error)).toEqual({ cursor: '400', pages: 4, items: 400 });
    });

    it('resumes from a cursor', () => {
      const { fetchPage, asked } = rows();
      expect(outcome(paginate(fetchPage, { from: '900' })).values).toEqual(ROWS.slice(900));
      expect(asked).toEqual(['900', '1000']);
    });

    it('that was read ahead, passes on the items before it first', () => {
      const failure = new Error('500');
      const log: unknown[] = [];
      new TestScheduler(() => {}).run(() => {
        paginate((cursor) => (cursor ? throwError(() => failure) : of({ items: [1, 2], next: 'b' })), {
          each: (item) => wait(10).pipe(map(() => item)),
          readAhead: 1,
        }).subscribe({ next: (value) => log.push(value), error: (error: unknown) => log.push(error, paginationReport(error)) });
      });
      expect(log).toEqual([1, 2, failure, { cursor: 'b', pages: 1, items: 2 }]);
    });

    it('in the work for an item, resumes at the page of that item', () => {
      const { fetchPage } = rows();
      const { error } = outcome(
        paginate(fetchPage, { each: (row) => (row === 250 ? throwError(() => new Error('full')) : of(row)), readAhead: 3 }),
      );
      expect(paginationReport(error)).toEqual({ cursor: '200', pages: 2, items: 251 });
    });

    it('knows nothing of errors from elsewhere', () => {
      expect([paginationReport(new Error('x')), paginationReport('x'), paginationReport(undefined)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it.each([{ next: 'b' }, null, undefined, 'rows'])('names what is missing in a page: %j', (page) => {
      const pages = [
        paginate(() => of(page as unknown as Page<number, string>)),
        ...(page === null ? [] : [paginate(offsetPages(() => of(page as never))), paginate(numberedPages(() => of(page as never)))]),
      ];
      for (const items$ of pages) expect(isUsageError(outcome<unknown>(items$).error)).toBe(true);
    });
  });

  it.each<[string, () => unknown]>([
    ['maxPages: 0', () => paginate(() => NEVER, { maxPages: 0 })],
    ['maxPages: NaN', () => paginate(() => NEVER, { maxPages: NaN })],
    ['readAhead: -1', () => paginate(() => NEVER, { readAhead: -1 })],
    ['an each that is no function', () => paginate(() => NEVER, { each: 'print' as never })],
    ['an option that nobody reads', () => paginate(() => NEVER, { maxpages: 3 } as never)],
    ['an option of offsetPages that nobody reads', () => offsetPages(() => NEVER, { total: 3 } as never)],
    ['an option of numberedPages that nobody reads', () => numberedPages(() => NEVER, { total: 3 } as never)],
    ['offsetPages without a function', () => offsetPages(undefined as never)],
    ['numberedPages without a function', () => numberedPages(undefined as never)],
  ])('refuses %s', (_, make) => {
    expect(isUsageError(failureOf(make))).toBe(true);
  });

  it('says what to give instead', () => {
    expect(failureOf(() => paginate(undefined as never)).message).toBe(
      'paginate: fetchPage is undefined; give a function that gets the page of a cursor',
    );
  });

  it.each([0, 2])('keeps memory and stack flat over 10,000 pages that arrive at once (read-ahead %i)', (readAhead) => {
    let items = 0;
    const used: number[] = [];
    const pages$ = paginate(
      numberedPages((page) => {
        if (page % 2_000 === 0) {
          globalThis.gc?.();
          used.push(process.memoryUsage().heapUsed);
        }
        return of({ items: ROWS.slice(0, 10), pages: 10_000 });
      }),
      { maxPages: 10_000, readAhead },
    );
    pages$.subscribe(() => items++);
    expect(items).toBe(100_000);
    expect((used.at(-1) ?? 0) - (used[0] ?? 0)).toBeLessThan(2_000_000);
  });
});
