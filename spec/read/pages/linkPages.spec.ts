import { createClient } from 'coldfetch';
import { defer, EMPTY, lastValueFrom, map, type Observable, of, take } from 'rxjs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { HttpClient } from '../../../src/client/HttpClient.js';
import { type LinkedResponse, linkPages, type LinkPagesOptions, type LinkRequest } from '../../../src/read/pages/linkPages.js';
import { isPaginationError, PaginationError } from '../../../src/read/pages/PaginationError.js';
import { paginationReport } from '../../../src/read/pages/paginationReport.js';
import { isBodyError } from '../../../src/request/errors/BodyError.js';
import { UsageError } from '../../../src/request/errors/UsageError.js';
import { HttpContext } from '../../../src/request/HttpContext.js';
import { FOREIGN } from '../../../src/request/tokens.js';
import { failureOf } from '../../support/failureOf.js';
import { outcome } from '../support/outcome.js';

interface Server {
  readonly get: (url: string, request: LinkRequest) => Observable<LinkedResponse<unknown>>;
  readonly asked: string[];
  readonly requests: LinkRequest[];
}

/** Answers each URL with a body and a Link field; `answeredBy` is the URL after redirects. */
function server(pages: Readonly<Record<string, { body: unknown; link?: string; answeredBy?: string }>>): Server {
  const asked: string[] = [];
  const requests: LinkRequest[] = [];
  return {
    asked,
    requests,
    get: (url, request) => {
      asked.push(url);
      requests.push(request);
      const { body, link, answeredBy = url } = pages[url] ?? { body: [] };
      return of({ headers: new Headers(link === undefined ? {} : { link }), url: answeredBy, body });
    },
  };
}

describe('linkPages', () => {
  it('follows rel=next until there is none: relative targets, several relations, commas inside <>', () => {
    const api = server({
      'https://api.example/v1/rows': { body: [1], link: '<rows?ids=1,2>; rel="next", </v1/rows?page=9>; rel="last"' },
      'https://api.example/v1/rows?ids=1,2': {
        body: [2],
        link: '<https://api.example/v1/rows>; rel="prev first", <?page=3>; rel="last next"',
      },
      'https://api.example/v1/rows?page=3': { body: [3], link: '</v1/rows>; rel=prev' },
    });
    expect(outcome(linkPages(api, 'https://api.example/v1/rows'))).toEqual({ values: [1, 2, 3], error: undefined, completed: true });
  });

  it('gives 1,001 items at 100 a page, in 11 requests', () => {
    const url = (page: number): string => `https://api.example/rows?page=${page}`;
    const rows = Array.from({ length: 1_001 }, (_, i) => i);
    const pages = Array.from({ length: 11 }, (_, i) => {
      const body = rows.slice(i * 100, i * 100 + 100);
      return [url(i + 1), i < 10 ? { body, link: `<${url(i + 2)}>; rel="next"` } : { body }] as const;
    });
    const api = server(Object.fromEntries(pages));
    expect(outcome(linkPages(api, url(1))).values).toEqual(rows);
    expect(api.asked).toHaveLength(11);
  });

  it('resolves links against the URL that answered', () => {
    const api = server({
      '/rows': { body: [1], link: '<rows/2>; rel=next', answeredBy: 'https://api.example/v2/rows' },
      'https://api.example/v2/rows/2': { body: [2] },
    });
    expect(outcome(linkPages(api, '/rows')).values).toEqual([1, 2]);
  });

  it('passes by a link that is about something else', () => {
    const api = server({ 'https://api.example/rows': { body: [1], link: '</other>; rel=next; anchor="/elsewhere"' } });
    expect(outcome(linkPages(api, 'https://api.example/rows')).values).toEqual([1]);
  });

  it('takes the items from where it is told', () => {
    const api = (): Observable<LinkedResponse<{ rows: number[] }>> => of({ headers: new Headers(), url: '', body: { rows: [1, 2] } });
    const rows$ = linkPages(api, '/rows', { items: (body: { rows: number[] }) => body.rows });
    expectTypeOf(rows$).toEqualTypeOf<Observable<number>>();
    expect(outcome(rows$).values).toEqual([1, 2]);
  });

  it('says that a body is no array', () => {
    expect(isBodyError(outcome(linkPages(server({ '/rows': { body: { rows: [] } } }), '/rows')).error)).toBe(true);
  });

  it('asks for no page beyond those that are wanted', () => {
    const api = server({ 'https://api.example/rows': { body: [1, 2], link: '<?page=2>; rel=next' } });
    expect(outcome(linkPages(api, 'https://api.example/rows').pipe(take(2))).values).toEqual([1, 2]);
    expect(api.asked).toHaveLength(1);
  });

  it('refuses a link back to the first page', () => {
    const api = server({
      'https://api.example/rows': { body: [1], link: '<?page=2>; rel=next' },
      'https://api.example/rows?page=2': { body: [2], link: '</rows>; rel=next' },
    });
    const { values, error } = outcome(linkPages(api, 'https://api.example/rows'));
    expect(values).toEqual([1, 2]);
    expect(isPaginationError(error)).toBe(true);
  });

  it.each(['/rows', 'https://api.example/rows'])('refuses a page that links itself, called %s first', (url) => {
    const page = { body: [1], link: '<>; rel=next', answeredBy: 'https://api.example/rows' };
    const api = server({ [url]: page, 'https://api.example/rows': page });
    const { values, error } = outcome(linkPages(api, url));
    expect(values).toEqual([1]);
    expect(isPaginationError(error)).toBe(true);
  });

  it.each(['https://api.example/rows?api_key=secret', '/rows?api_key=secret'])('shows no query of %s in an error', (url) => {
    const api = server({ [url]: { body: [1], link: `<${url}>; rel=next`, answeredBy: new URL(url, 'https://api.example').href } });
    const { error } = outcome(linkPages(api, url));
    expect((error as Error).message).toContain('/rows" came a second time');
    expect((error as Error).message).not.toContain('secret');
  });

  it('takes a page without content (204) for one without items', () => {
    const api = server({ '/rows': { body: null } });
    const items = (body: unknown): number[] => (body as { rows: number[] }).rows;
    expect(outcome(linkPages(api, '/rows', { items }))).toEqual({ values: [], error: undefined, completed: true });
  });

  it('resumes from a URL', () => {
    const api = server({ 'https://api.example/rows?page=2': { body: [2] } });
    expect(outcome(linkPages(api, 'https://api.example/rows', { from: 'https://api.example/rows?page=2' })).values).toEqual([2]);
  });

  it('refuses an option that nobody reads', () => {
    expect(failureOf(() => linkPages(server({}), '/rows', { maxpages: 3 } as LinkPagesOptions<unknown, unknown>)).message).toBe(
      'linkPages: maxpages is unknown; there are maxPages, from, emptyPages, readAhead, each, items, headers, crossOrigin, withoutLink',
    );
  });

  it.each<[string, () => unknown]>([
    [
      "linkPages: the source's get is undefined; give a client, or a function that gets a URL",
      () => linkPages(undefined as never, '/rows'),
    ],
    ["linkPages: the source's get is undefined; give a client, or a function that gets a URL", () => linkPages({} as never, '/rows')],
    ['linkPages: the URL is undefined; give that of the first page', () => linkPages(() => [], undefined as never)],
  ])('says at the call that %s', (problem, make) => {
    expect(failureOf(make).message).toBe(problem);
  });

  it('works on each item, as paginate does', () => {
    const api = server({ '/rows': { body: [1, 2] } });
    expect(outcome(linkPages(api, '/rows', { each: (row: number) => of(row * 10) })).values).toEqual([10, 20]);
  });

  it('takes a client of coldfetch', () => {
    const http = { get: () => EMPTY } as unknown as HttpClient;
    expectTypeOf(linkPages<{ id: number }>(http, '/rows')).toEqualTypeOf<Observable<{ id: number }>>();
  });

  describe('when a next link leaves the origin', () => {
    const pages = {
      'https://api.example/rows': { body: [1], link: '<https://other.example/rows?token=secret>; rel=next' },
      'https://other.example/rows?token=secret': { body: [2], link: '<?page=3>; rel=next' },
      'https://other.example/rows?page=3': { body: [3], link: '<https://api.example/rows?page=4>; rel=next' },
      'https://api.example/rows?page=4': { body: [4] },
    };

    it('is an error that names the origin, no secret, and how to allow it', () => {
      const api = server(pages);
      const { values, error } = outcome(linkPages(api, 'https://api.example/rows'));
      expect(values).toEqual([1]);
      expect(api.asked).toEqual(['https://api.example/rows']);
      expect(isPaginationError(error)).toBe(true);
      expect((error as Error).message).toBe(
        "The next page, https://other.example/rows, leaves https://api.example; pass crossOrigin: 'allow' to follow it without credentials",
      );
      expect(paginationReport(error)).toEqual({ cursor: 'https://other.example/rows?token=secret', pages: 1, items: 1 });
    });

    it.each(['http://api.example/rows', 'https://api.example:8443/rows'])('knows %s for another origin', (target) => {
      const api = server({ 'https://api.example/rows': { body: [1], link: `<${target}>; rel=next` } });
      expect(isPaginationError(outcome(linkPages(api, 'https://api.example/rows')).error)).toBe(true);
    });

    it('knows the origin of a relative URL by the first answer', () => {
      const first = { body: [1], link: '<https://other.example/rows>; rel=next', answeredBy: 'https://api.example/rows' };
      expect(isPaginationError(outcome(linkPages(server({ '/rows': first }), '/rows')).error)).toBe(true);
    });

    it('follows it without credentials if allowed, until it is back', () => {
      const api = server(pages);
      const headers = { authorization: 'Bearer secret', 'x-tenant': '7' };
      expect(outcome(linkPages(api, 'https://api.example/rows', { crossOrigin: 'allow', headers })).values).toEqual([1, 2, 3, 4]);
      const own = { observe: 'response', headers };
      const foreign = {
        observe: 'response',
        headers: expect.objectContaining({ authorization: null, cookie: null, 'x-api-key': null }) as unknown,
        fetchOptions: { credentials: 'omit' },
        context: HttpContext.of(FOREIGN, true),
      };
      expect(api.requests).toEqual([own, foreign, foreign, own]);
    });

    it('sends nothing there that a client or its interceptors add', async () => {
      const api = server(pages);
      const sent: object[] = [];
      const http = createClient({
        headers: { 'private-token': 'secret', accept: 'text/csv' },
        attemptInterceptors: [(request, next) => next(request.clone({ setHeaders: { authorization: 'Bearer secret' } }))],
        fetch: (url, init) => {
          sent.push(Object.fromEntries(new Headers(init.headers)));
          return api
            .get(url as string, { observe: 'response', headers: {} })
            .pipe(map(({ body, headers }) => Response.json(body, { headers: { link: headers.get('link') ?? '' } })));
        },
      });
      await lastValueFrom(linkPages(http, 'https://api.example/rows', { crossOrigin: 'allow' }));
      const own = { 'private-token': 'secret', accept: 'text/csv', authorization: 'Bearer secret' };
      expect(sent).toEqual([own, { accept: 'text/csv' }, { accept: 'text/csv' }, own]);
    });

    it.each<[string, LinkPagesOptions<unknown, unknown>]>([
      ['header fields', { headers: { authorization: 'Bearer secret' } }],
      ['nothing', {}],
    ])('resumes there only where it knows what home is (%s)', (_, options) => {
      const from = 'https://other.example/rows?page=3';
      const api = server({ [from]: { body: [3] } });
      const resume = (url: string): unknown => outcome(defer(() => linkPages(api, url, { ...options, from })));
      expect(resume('https://api.example/rows')).toMatchObject({ values: [], error: expect.any(PaginationError) as unknown });
      expect(resume('/rows')).toMatchObject(options.headers ? { values: [], error: expect.any(UsageError) as unknown } : { values: [3] });
    });

    it('tells a function', () => {
      const api = server(pages);
      const origins: boolean[] = [];
      const fetchPage = (url: string, { sameOrigin }: { sameOrigin: boolean }): Observable<LinkedResponse<unknown>> => {
        origins.push(sameOrigin);
        return api.get(url, { observe: 'response', headers: {} });
      };
      outcome(linkPages(fetchPage, 'https://api.example/rows', { crossOrigin: 'allow' }));
      expect(origins).toEqual([true, false, false, true]);
    });
  });
});
