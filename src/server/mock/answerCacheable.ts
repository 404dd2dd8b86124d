import type { Request, Response } from 'express';

/** Fields of an answer for caches. */
export interface Cacheable {
  /** With its quotes. */
  readonly etag: string | undefined;
  /** An HTTP date. */
  readonly lastModified: string | undefined;
  readonly cacheControl: string;
  readonly body: unknown;
}

/**
 * Answers 200 with the body, or 304 without one when the client's validator still fits (RFC 9110 section 13). Express's own check would never say
 * 304 here: Node's `fetch` adds `Cache-Control: no-cache` to conditional requests, which Express takes for a wish to have the body.
 */
export function answerCacheable(request: Request, response: Response, { etag, lastModified, cacheControl, body }: Cacheable): void {
  response.set('Cache-Control', cacheControl);
  if (etag !== undefined) response.set('ETag', etag);
  if (lastModified !== undefined) response.set('Last-Modified', lastModified);
  if (isFresh(request, etag, lastModified)) response.status(304).end();
  else response.json(body);
}

/** `If-None-Match` decides where it is sent; only without it `If-Modified-Since` does (RFC 9110 section 13.2.2). */
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
