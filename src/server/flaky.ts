import type { RequestHandler } from 'express';
import { ApiError } from './api/ApiError.js';
import type { ResolvedFault } from './options/resolveOptions.js';
import { StorageError } from './storage/StorageError.js';

/** Fault injection: answers the first requests of each method and URL of the chosen routes with a failure, and lets the next ones pass. */
export function flaky({ routes, failures, status, retryAfter }: ResolvedFault): RequestHandler {
  const patterns = routes.map(matcher);
  const seen = new Map<string, number>();
  return (request, response, next) => {
    const name = `${request.method} ${request.originalUrl}`;
    const failed = seen.get(name) ?? 0;
    if (failed >= failures || !patterns.some((matches) => matches(request.method, request.originalUrl))) {
      next();
      return;
    }
    seen.set(name, failed + 1);
    if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter));
    if (!request.path.startsWith('/storage/')) throw new ApiError(status, status === 429 ? 'Too Many Requests' : 'Service Unavailable');
    const error = new StorageError(status, 'ServiceUnavailable', 'Please reduce your request rate.');
    response.status(status).type('application/xml').send(error.toXml());
  };
}

function matcher(pattern: string): (method: string, url: string) => boolean {
  const [, method, path] = /^(?:([A-Z]+) )?(.*)$/.exec(pattern) ?? [];
  const seesQuery = pattern.includes('?');
  const literal = (part: string): string => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const form = new RegExp(`^${(path ?? '').split('*').map(literal).join('.*')}$`);
  return (requested, url) => (method === undefined || method === requested) && form.test(seesQuery ? url : url.replace(/\?.*$/, ''));
}
