import { catchError, concatMap, EMPTY, from, type Observable, throwError } from 'rxjs';
import type { HttpClient, RequestOptions } from '../../../client/HttpClient.js';
import { isHttpError } from '../../../request/errors/HttpError.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';

/** Status of a server that has the collection already (RFC 4918 section 9.3.1). */
const EXISTS = 405;

/** Makes the collections (folders of a WebDAV server) that hold these URLs, the outer ones first; those below `base` only. */
export function makeCollections(http: HttpClient, base: string, urls: readonly string[], options: RequestOptions): Observable<HttpEvent> {
  const collections = new Set(urls.flatMap((url) => collectionsOf(base, url)));
  return from(collections).pipe(
    concatMap((url) =>
      http
        .request('MKCOL', url, { ...options, observe: 'events', responseType: 'text' })
        .pipe(catchError((error: unknown) => (isHttpError(error) && error.status === EXISTS ? EMPTY : throwError(() => error)))),
    ),
  );
}

function collectionsOf(base: string, url: string): string[] {
  const [path = ''] = url.split(/[?#]/);
  const segments = path.slice(base.length).split('/').slice(0, -1);
  return segments.map((_, index) => `${base}${segments.slice(0, index + 1).join('/')}/`);
}
