import { catchError, defer, map, type Observable, of } from 'rxjs';
import { wait } from '../time.js';
import { convertBody, readBytes } from '../transport/readBody.js';
import type { Failure } from './Failure.js';

const MOST_BYTES = 4096;
const MOST_TIME = 1000;

/** The beginning of an error's body as text: what arrives of 4 KiB in 1 s. The body stays readable; '' where there is none. */
export function peekBody({ response }: Failure): Observable<string> {
  return defer(() =>
    response?.body && !response.bodyUsed
      ? readBytes(response.clone(), { maxBytes: MOST_BYTES, truncate: true, until$: wait(MOST_TIME) }).pipe(
          map((bytes) => String(convertBody(bytes, 'text'))),
          catchError(() => of('')),
        )
      : of(''),
  );
}
