import { UsageError } from './errors/UsageError.js';
import { isObject } from './guards.js';
import { nameOf } from './opaqueKind.js';
import { withoutSecrets } from './withoutSecrets.js';

/** Dot segments behind an encoded slash: URL parsers see no segments there, but servers that decode before they route do. */
const HIDDEN_DOTS = /(?:\/|%2f|%5c)(?:\.|%2e){2}(?:\/|%2f|%5c|$)/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** Schemes of URLs without `//` that a `fetch` may know. */
const OPAQUE = /^(data|blob|about|file|mailto|javascript):/i;

/**
 * The absolute form of a request's URL. A relative one is appended to the base URL's path, with or without a leading slash; it cannot leave
 * that path, neither by `//host` nor by dot segments, written plainly or encoded. The base URL's query stays, before that of the request; a
 * parameter that the request names itself takes the place of the base's.
 *
 *     resolveUrl('users/1', 'https://api.example.com/v2/')   https://api.example.com/v2/users/1
 *     resolveUrl('/users', 'https://api.example.com/v2')     https://api.example.com/v2/users
 *     resolveUrl('?page=2', 'https://api.example.com/v2')    https://api.example.com/v2?page=2
 *     resolveUrl('users', 'https://api.example.com/v2?key=k') https://api.example.com/v2/users?key=k
 *
 * Without a base a relative URL is left as it is: a browser knows one, elsewhere sending it fails.
 *
 * @throws UsageError for a relative URL that would leave the base, and for one whose first segment reads as a scheme: `items:batchGet`
 */
export function resolveUrl(url: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined || SCHEME.test(url)) return absolute(url, baseUrl);
  const base = new URL(baseUrl);
  const root = base.origin + base.pathname.replace(/\/+$/, '');
  const path = url.replace(/^[/\\]+/, '');
  if (/^([?#]|$)/.test(path)) return withQueryOf(base, (url === path ? base.origin + base.pathname : `${root}/`) + path);
  const resolved = new URL(`${root}/${path}`);
  if (!resolved.href.startsWith(`${root}/`) || HIDDEN_DOTS.test(resolved.pathname)) {
    throw new UsageError(`${withoutSecrets(url)} leaves the base URL ${root}; give a path below it, or an absolute URL`);
  }
  return withQueryOf(base, resolved.href);
}

/** An absolute URL as it is, unless it is a path of the base that looks like a URL. */
function absolute(url: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined || /^[^:]*:\/\//.test(url) || OPAQUE.test(url) || /^https?:/i.test(url)) return url;
  const path = withoutSecrets(url);
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const host = /^[^:]+:\d/.test(url) ? `, or http://${path} for that host` : '';
  throw new UsageError(`${path} reads as a URL of the scheme ${scheme}; write /${path} for the path below the base URL${host}`);
}

function withQueryOf({ search }: URL, url: string): string {
  if (search === '') return url;
  const target = new URL(url);
  const isOwn = (pair: string): boolean => [...new URLSearchParams(pair).keys()].some((name) => target.searchParams.has(name));
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => !isOwn(pair));
  target.search = [...kept, target.search.slice(1)].filter((part) => part !== '').join('&');
  return target.href;
}

/** Value of a query parameter; `undefined` and `null` leave it out, an array repeats it. A Date is sent as in JSON, in ISO 8601. */
export type ParamValue = string | number | boolean | Date | undefined | null;

/** Query parameters. */
export type Params = URLSearchParams | Readonly<Record<string, ParamValue | readonly ParamValue[]>>;

/** `url` with `params` appended to its query. */
export function withParams(url: string, params: Params | undefined): string {
  if (!params) return url;
  const query = params instanceof URLSearchParams ? params : queryOf(params);
  if (query.size === 0) return url;
  const [, head = '', hash = ''] = /^([^#]*)(.*)$/s.exec(url) ?? [];
  return `${head}${head.includes('?') ? (/[?&]$/.test(head) ? '' : '&') : '?'}${query.toString()}${hash}`;
}

function queryOf(params: Exclude<Params, URLSearchParams>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(params)) {
    for (const value of Array.isArray(given) ? (given as readonly ParamValue[]) : [given as ParamValue]) {
      if (value !== undefined && value !== null) query.append(name, paramText(name, value));
    }
  }
  return query;
}

/** Text of a parameter. @throws UsageError for an object without a text of its own, and for an invalid Date */
function paramText(name: string, value: NonNullable<ParamValue>): string {
  const fail = (problem: string): UsageError => new UsageError(`The query parameter ${name} is ${problem}`);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw fail('an invalid Date');
    return value.toISOString();
  }
  const text = String(value);
  if (isObject(value) && text.startsWith('[object ')) {
    throw fail(`${nameOf(value, 'object')}, which has no text of its own; give a string, a number or a list of them`);
  }
  return text;
}

/** The origin of an absolute URL; undefined for any other: a relative URL has the origin of its sender. */
export function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/** The URL against which a page or worker resolves relative URLs: that of its `<base>`, else its own. Undefined outside of browsers. */
export function pageUrl(): string | undefined {
  const { document, location } = globalThis as {
    readonly document?: { readonly baseURI?: string };
    readonly location?: { readonly href?: string };
  };
  return document?.baseURI ?? location?.href;
}

/** True if `url` is an absolute http(s) URL. */
export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
