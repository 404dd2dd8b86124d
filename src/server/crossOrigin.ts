import type { RequestHandler } from 'express';
import type { ResolvedCors } from './options/resolveOptions.js';

/** Seconds for which a browser may keep the response to a preflight. */
const MAX_AGE = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/**
 * Lets pages of other origins read the responses (CORS), and answers their preflights. It stands before the limit, as a gateway does: a
 * preflight uses up none of it, and a 429 can be read, too.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function crossOrigin({ origins, exposed }: ResolvedCors): RequestHandler {
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origins !== '*') response.vary('Origin');
    if (origin === undefined || !(origins === '*' || origins.includes(origin))) {
      next();
      return;
    }
    response.set('Access-Control-Allow-Origin', origins === '*' ? '*' : origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      if (exposed.length > 0) response.set('Access-Control-Expose-Headers', exposed.join(', '));
      next();
      return;
    }
    // Header fields are listed, since `*` does not stand for Authorization.
    const asked = request.headers['access-control-request-headers'];
    response.vary('Access-Control-Request-Headers');
    if (asked !== undefined) response.set('Access-Control-Allow-Headers', asked);
    response
      .set({ 'Access-Control-Allow-Methods': METHODS, 'Access-Control-Max-Age': String(MAX_AGE) })
      .status(204)
      .end();
  };
}
