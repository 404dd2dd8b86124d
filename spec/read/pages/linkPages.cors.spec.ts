import { of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LinkedResponse, linkPages, type LinkPagesOptions, PaginationError, paginationReport } from 'coldfetch';
import { outcome, type Outcome } from '../support/outcome.js';

type Fields = Record<string, string>;

/** Reads pages of one item each, which show these header fields. */
function read(pages: readonly Fields[], options: LinkPagesOptions<number, number[]> = {}, url = 'https://api.test/rows'): Outcome<number> {
  let page = 0;
  const get = (asked: string) => {
    const answer: LinkedResponse<number[]> = { headers: new Headers(pages[page]), url: asked, body: [++page] };
    return of(answer);
  };
  return outcome(linkPages<number, number[]>({ get }, url, options));
}

const safelisted = { 'content-type': 'application/json', 'cache-control': 'no-store', 'content-length': '3' };
const next = { ...safelisted, link: '<https://api.test/rows?page=2>; rel="next"' };

describe('linkPages in a page', () => {
  beforeEach(() => {
    vi.stubGlobal('location', { href: 'https://app.test/' });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('fails where CORS may hide the Link of another origin, instead of ending', () => {
    const { values, error } = read([safelisted]);
    expect(values).toEqual([]);
    expect(error).toBeInstanceOf(PaginationError);
    expect((error as Error).message).toBe(
      'The answer of https://api.test/rows shows no Link to this page, which is from another origin: its server has to send ' +
        "Access-Control-Expose-Headers: Link; if it does, and this is the only page, pass withoutLink: 'end'",
    );
    expect(paginationReport(error)).toMatchObject({ cursor: 'https://api.test/rows', pages: 0 });
  });

  it.each<[string, readonly Fields[], LinkPagesOptions<number, number[]>?, string?]>([
    ['a Link was seen before', [next, safelisted]],
    ['a Link leads nowhere', [{ ...safelisted, link: '<https://api.test/rows>; rel="first"' }]],
    ['other fields are exposed', [{ ...safelisted, etag: '"1"' }]],
    ['the caller says that it is the end', [safelisted], { withoutLink: 'end' }],
    ['the origin is the page’s own', [safelisted], {}, 'https://app.test/rows'],
    ['the URL is relative', [safelisted], {}, '/rows'],
  ])('ends where %s', (_, pages, options, url) => {
    expect(read(pages, options, url)).toMatchObject({ completed: true, values: pages.map((__, i) => i + 1) });
  });

  it('fails where the Link of a second origin is hidden', () => {
    const elsewhere = { ...safelisted, link: '<https://more.test/rows>; rel="next"' };
    const { values, error } = read([elsewhere, safelisted], { crossOrigin: 'allow' });
    expect(values).toEqual([1]);
    expect(String(error)).toContain('https://more.test/rows shows no Link');
  });
});

it('linkPages outside of a page sees all there is', () => {
  expect(read([safelisted])).toMatchObject({ completed: true, values: [1] });
});
