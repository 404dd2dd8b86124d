import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../api/ApiError.js';
import { choiceIn, numberIn, textIn } from './readQuery.js';

/**
 * Route `GET /mock/daily/DATE` (`2024-02-29`): one day's data, the same at each request, with an ETag; fresh for `maxAge` seconds (86,400).
 * An invalid date is answered 400.
 */
export const dailyReading: RequestHandler = (request, response) => {
  const date = String(request.params.date);
  if (!isDate(date)) throw new ApiError(400, '`date` must be a date such as 2024-02-29');
  const hash = createHash('sha256').update(date).digest();
  const hours = Array.from({ length: 24 }, (_, hour) => (hash.at(hour) ?? 0) / 10);
  answerCacheable(request, response, {
    etag: `"${hash.toString('hex').slice(0, 16)}"`,
    lastModified: undefined,
    cacheControl: `public, max-age=${numberIn(request, 'maxAge', 86_400)}`,
    body: { date, mean: Math.round(hours.reduce((sum, value) => sum + value, 0) / 2.4) / 10, hours },
  });
};

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  // February 30 is read as March 1.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/**
 * `GET /mock/etag/NAME`: a document with validators, answered 304 when the client has it; `PUT` makes its next version.
 *
 * - `validator`: `etag` (default), `weak`, `lastModified`, `both` or `none`.
 * - `cacheControl`: the field's value, `no-cache` by default.
 * - `vary`: name of a request field that the answer depends on; its value is in the body.
 * - `bytes`: length of the body's `padding`.
 *
 * `X-Served` counts the answers for a name, the 304s too: a cache that merges a 304's fields shows the last one.
 */
export function versionedDocument(): { readonly get: RequestHandler; readonly put: RequestHandler } {
  const versions = new Map<string, number>();
  const served = new Map<string, number>();
  const get: RequestHandler = (request, response) => {
    const name = String(request.params.name);
    const version = versions.get(name) ?? 1;
    const validator = choiceIn(request, 'validator', ['etag', 'weak', 'lastModified', 'both', 'none']);
    const vary = textIn(request, 'vary', '');
    const count = (served.get(name) ?? 0) + 1;
    served.set(name, count);
    response.set('X-Served', String(count));
    const variant = vary === '' ? undefined : (request.get(vary) ?? '');
    if (vary !== '') response.set('Vary', vary);
    const tag = JSON.stringify([name, version, variant ?? ''].map(encodeURIComponent).join('.'));
    answerCacheable(request, response, {
      etag: validator === 'weak' ? `W/${tag}` : validator === 'etag' || validator === 'both' ? tag : undefined,
      // The date moves by a second for each version, the resolution of HTTP dates.
      lastModified: validator === 'lastModified' || validator === 'both' ? new Date(version * 1_000).toUTCString() : undefined,
      cacheControl: textIn(request, 'cacheControl', 'no-cache'),
      body: { name, version, variant, padding: 'x'.repeat(numberIn(request, 'bytes', 0)) },
    });
  };
  const put: RequestHandler = (request, response) => {
    const name = String(request.params.name);
    const version = (versions.get(name) ?? 1) + 1;
    versions.set(name, version);
    response.json({ name, version });
  };
  return { get, put };
}

/** Header fields of a response for caches. */
export interface Cacheable {
  /** Entity tag with its quotes. */
  readonly etag: string | undefined;
  /** An HTTP date. */
  readonly lastModified: string | undefined;
  readonly cacheControl: string;
  readonly body: unknown;
}

/**
 * Answers 200 with the body, or 304 without one when the client's validator still fits (RFC 9110 section 13). Express's own check would
 * never answer 304 here: Node's `fetch` adds `Cache-Control: no-cache` to conditional requests, which Express takes for a wish to have the
 * body.
 */
function answerCacheable(request: Request, response: Response, { etag, lastModified, cacheControl, body }: Cacheable): void {
  response.set('Cache-Control', cacheControl);
  if (etag !== undefined) response.set('ETag', etag);
  if (lastModified !== undefined) response.set('Last-Modified', lastModified);
  if (isFresh(request, etag, lastModified)) response.status(304).end();
  else response.json(body);
}

/** The field `If-None-Match` decides where it is sent; only without it `If-Modified-Since` does (RFC 9110 section 13.2.2). */
function isFresh(request: Request, etag: string | undefined, lastModified: string | undefined): boolean {
  const known = request.get('if-none-match');
  if (known !== undefined) {
    if (etag === undefined) return false;
    const tags = known.split(',').map((tag) => opaque(tag.trim()));
    return tags.includes('*') || tags.includes(opaque(etag));
  }
  const since = Date.parse(request.get('if-modified-since') ?? '');
  return lastModified !== undefined && Date.parse(lastModified) <= since;
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
