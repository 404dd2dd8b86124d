import { catchError, concat, concatMap, defer, filter, from, map, mergeMap, type Observable, of } from 'rxjs';
import type { HttpClient, HttpEvent } from 'coldfetch';

/** A screenshot in memory. */
export interface Shot {
  readonly name: string;
  readonly png: Blob;
}

export type UploadEvent =
  | { readonly type: 'wait'; readonly source: string; readonly delay: number; readonly name: string }
  | { readonly type: 'done'; readonly name: string }
  | { readonly type: 'failed'; readonly name: string; readonly error: unknown };

/** Creates a build, puts two screenshots at a time, and closes the build, though some of them fail. */
export function uploadShots(http: HttpClient, shots: readonly Shot[]): Observable<UploadEvent> {
  return http.post<{ id: string }>('/builds').pipe(
    concatMap(({ id }) => {
      const uploads = from(shots).pipe(mergeMap((shot) => uploadShot(http, id, shot), 2));
      const close = defer(() => http.post(`/builds/${id}/close`)).pipe(mergeMap(() => []));
      return concat(uploads, close);
    }),
  );
}

function uploadShot(http: HttpClient, build: string, { name, png }: Shot): Observable<UploadEvent> {
  return http.put(`/builds/${build}/${name}`, png, { observe: 'events' }).pipe(
    filter((event) => event.type === 'wait' || event.type === 'response'),
    map((event) => toUpload(event, name)),
    catchError((error: unknown) => of({ type: 'failed' as const, name, error })),
  );
}

function toUpload(event: HttpEvent, name: string): UploadEvent {
  return event.type === 'wait' ? { type: 'wait', source: event.source, delay: event.delay, name } : { type: 'done', name };
}
