import { defer, from, map, type Observable, type ObservableInput } from 'rxjs';
import type { HeadersLike } from '../../headers/HeadersLike.js';
import { parseLinkHeader } from '../../headers/parseLinkHeader.js';
import { checkOptions, isFunction, type OptionRule, requireThat } from '../../request/checkOptions.js';
import { CREDENTIAL_FIELDS } from '../../request/credentialFields.js';
import { BodyError } from '../../request/errors/BodyError.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { isObject } from '../../request/guards.js';
import { HttpContext } from '../../request/HttpContext.js';
import { originOf, pageUrl } from '../../request/urls.js';
import { withoutSecrets } from '../../request/withoutSecrets.js';
import { FOREIGN } from '../../request/tokens.js';
import { isItems } from './pageOf.js';
import { type FetchPage, paginate, type PaginateEachOptions, type PaginateOptions, PAGING } from './paginate.js';
import { PaginationError } from './PaginationError.js';

/** Request options for a page on another origin: no credentials, for clients that do not know `FOREIGN` either. */
const ABROAD = {
  headers: Object.fromEntries(CREDENTIAL_FIELDS.map((name) => [name, null])),
  fetchOptions: { credentials: 'omit' },
  context: HttpContext.of(FOREIGN, true),
} as const;

/** Response that a page is read from: that of a client, observed as `'response'`. */
export interface LinkedResponse<B> {
  readonly headers: HeadersLike;
  /** URL of the response, after redirects; relative links are resolved against it. `''`: the requested URL. */
  readonly url: string;
  readonly body: B;
}

/** Options that {@link linkPages} passes to a client's `get`. */
export interface LinkRequest {
  readonly observe: 'response';
  readonly headers: Readonly<Record<string, string | null>>;
  readonly fetchOptions?: { readonly credentials: 'omit' };
  readonly context?: HttpContext;
}

/** Any client with a `get` like that of coldfetch's clients. */
export interface LinkClient<B> {
  /** Fetches one page. */
  get(url: string, request: LinkRequest): ObservableInput<LinkedResponse<B>>;
}

/** Gets a page; `sameOrigin: false` asks it to send no credentials. */
export type FetchLinkedPage<B> = (url: string, page: { readonly sameOrigin: boolean }) => ObservableInput<LinkedResponse<B>>;

/** Options of {@link linkPages}, beside those of `paginate`. */
export interface LinkPagesOptions<T, B> extends PaginateOptions<string> {
  /** The items in a body; by default the body is their array. */
  readonly items?: (body: B) => readonly T[];
  /** Header fields for a client's `get`, within the origin of the first page only. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True if a next link may lead to another origin; `'error'` by default. */
  readonly crossOrigin?: 'error' | 'allow';
  /**
   * Treatment, in a browser, of a page from another origin without a `Link` and without any other field that its server would have to
   * expose, where no page before it showed a `Link`. `'error'` (default): its `Link` counts as hidden by CORS. `'end'`: it is the last
   * page, for a server that exposes `Link` and sends none on the last page.
   */
  readonly withoutLink?: 'error' | 'end';
}

const LINKING = {
  items: [isFunction, 'a function that finds the items in a body'],
  headers: [isObject, 'an object of header fields'],
  crossOrigin: [(value) => value === 'error' || value === 'allow', "'error' or 'allow'"],
  withoutLink: [(value) => value === 'error' || value === 'end', "'error' or 'end'"],
} as const satisfies Record<string, OptionRule>;

/**
 * The items of all pages of an API that links them by `Link: <...>; rel="next"` (RFC 8288), like `paginate`: the same limits, read-ahead
 * and reports. The cursor is the page's URL.
 *
 * A next link to another origin is a {@link PaginationError}, since the credentials of this origin would go along. With `crossOrigin:
 * 'allow'` it is followed without them: a client sends no header fields but `accept` and the like, whatever its options and interceptors
 * set, and no cookies; a function gets `sameOrigin: false`.
 *
 * In a browser a page sees the `Link` of another origin only if that origin sends `Access-Control-Expose-Headers: Link`. Where the first
 * response seems to lack it, that is a {@link PaginationError}, not the end; `withoutLink` decides otherwise.
 *
 * @param source a client, or a function that gets a page
 * @param url the first page; relative to a client's base URL if you like. To resume `from` an absolute URL with `headers`, or with a function,
 *   it has to be absolute: its origin is the one that is trusted.
 *
 * @example
 * const issues$ = linkPages<Issue>(http, '/repos/acme/tools/issues?per_page=100', { maxPages: 200 });
 * const rows$ = linkPages(http, '/rows', { items: (body: { rows: Row[] }) => body.rows });
 *
 * @throws UsageError for arguments that are no client, no URL or no sensible options
 */
export function linkPages<T, R, B>(
  source: LinkClient<B> | FetchLinkedPage<B>,
  url: string | URL,
  options: LinkPagesOptions<T, B> & PaginateEachOptions<T, R, string>,
): Observable<R>;
export function linkPages<T, B = unknown>(
  source: LinkClient<B> | FetchLinkedPage<B>,
  url: string | URL,
  options?: LinkPagesOptions<T, B>,
): Observable<T>;
export function linkPages<T, R, B>(
  source: LinkClient<B> | FetchLinkedPage<B>,
  url: string | URL,
  options: LinkPagesOptions<T, B> & Partial<PaginateEachOptions<T, R, string>> = {},
): Observable<T | R> {
  const asked: unknown = typeof source === 'function' ? source : (source as Partial<LinkClient<B>> | undefined)?.get;
  requireThat(isFunction(asked), 'linkPages', "the source's get", asked, 'a client, or a function that gets a URL');
  requireThat(typeof url === 'string' || url instanceof URL, 'linkPages', 'the URL', url, 'that of the first page');
  checkOptions('linkPages', options, { rules: { ...PAGING, ...LINKING } });
  const { items, headers = {}, crossOrigin = 'error', withoutLink = 'error', from: start = String(url), each, ...paging } = options;
  const hasSecrets = typeof source === 'function' || Object.keys(headers).length > 0;
  if (hasSecrets && originOf(String(url)) === undefined && originOf(start) !== undefined) {
    throw new UsageError('linkPages: give the URL of the first page in full as `from` is: its origin alone is sent what is secret');
  }

  // A client gives `null` for a 204.
  const itemsOf = (body: B | null): readonly T[] => {
    if (body === null) return [];
    if (items) return items(body);
    if (typeof body === 'object' && isItems<T>(body)) return body;
    throw new BodyError('linkPages: the body of a page is not an array; pass items to say where they are in it');
  };

  const get = (page: string, sameOrigin: boolean): ObservableInput<LinkedResponse<B>> => {
    if (typeof source === 'function') return source(page, { sameOrigin });
    return source.get(page, { observe: 'response', ...(sameOrigin ? { headers } : ABROAD) });
  };

  return defer(() => {
    let home = originOf(String(url));
    let first: string | undefined;
    /** Origins whose `Link` has been seen: a page of theirs without one has none. */
    const shown = new Set<string | undefined>();
    const fetchPage: FetchPage<T, string> = (page = start) => {
      const sameOrigin = home === undefined || (originOf(page) ?? home) === home;
      if (!sameOrigin && crossOrigin === 'error') throw leavesOrigin(page, home);
      return from(get(page, sameOrigin)).pipe(
        map((answer) => {
          const base = answer.url || page;
          home ??= originOf(base);
          first ??= base;
          const next = nextOf(answer.headers, base);
          const found = itemsOf(answer.body);
          if (answer.headers.get('link') !== null) shown.add(originOf(base));
          else if (withoutLink === 'error' && found.length > 0 && !shown.has(originOf(base)) && mayHideLink(answer.headers, base))
            throw hidesLink(base);
          // The page's URL in one spelling, by which it is recognized.
          return { items: found, next: next === first ? start : next };
        }),
      );
    };
    const pages = { ...paging, from: start };
    return each ? paginate(fetchPage, { ...pages, each }) : paginate(fetchPage, pages);
  });
}

// A link with an anchor is about another resource than this page (RFC 8288 section 3.2).
function nextOf(headers: HeadersLike, base: string): string | undefined {
  const links = parseLinkHeader(headers.get('link'), URL.canParse(base) ? base : undefined);
  return links.find(({ rels, parameters }) => rels.includes('next') && !parameters.has('anchor'))?.target;
}

function hidesLink(page: string): PaginationError {
  const problem = `The answer of ${withoutSecrets(page)} shows no Link to this page, which is from another origin`;
  const remedy = 'its server has to send Access-Control-Expose-Headers: Link';
  return new PaginationError(`${problem}: ${remedy}; if it does, and this is the only page, pass withoutLink: 'end'`);
}

function leavesOrigin(page: string, home: string | undefined): PaginationError {
  const problem = `The next page, ${withoutSecrets(page)}, leaves ${home ?? 'its origin'}`;
  return new PaginationError(`${problem}; pass crossOrigin: 'allow' to follow it without credentials`);
}

/** Response header fields of another origin that scripts of a page see unasked (Fetch standard, CORS-safelisted response-header names). */
const SAFELISTED = /^(cache-control|content-language|content-length|content-type|expires|last-modified|pragma)$/i;
/** Header fields that coldfetch adds to a response. */
const OWN = /^cache-status$/i;

/**
 * True if a response without a `Link` field may have had one that scripts of the page cannot see: it came from another origin than the
 * page's, and no visible field shows that its server exposes any (`Access-Control-Expose-Headers`). Outside of browsers nothing is hidden.
 */
function mayHideLink(headers: HeadersLike, url: string): boolean {
  const home = originOf(pageUrl() ?? '');
  if (home === undefined || (originOf(url) ?? home) === home || !isListable(headers)) return false;
  return [...headers.keys()].every((name) => SAFELISTED.test(name) || OWN.test(name));
}

function isListable(headers: HeadersLike): headers is HeadersLike & { keys(): Iterable<string> } {
  return 'keys' in headers && typeof headers.keys === 'function';
}
