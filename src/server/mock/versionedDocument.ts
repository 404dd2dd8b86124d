import type { RequestHandler } from 'express';
import { answerCacheable } from './answerCacheable.js';
import { choiceIn, numberIn, textIn } from './readQuery.js';

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
      // A second for each version, as finely as HTTP dates tell.
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
