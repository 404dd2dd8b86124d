import { catchError, map, type Observable, of } from 'rxjs';
import { hidden, hiddenGetter } from '../request/errors/ColdfetchError.js';
import { wait } from '../time.js';
import { keep, takeKept } from './keptBodies.js';
import { readBytes } from './readBody.js';
import { ERROR_BODY } from '../request/defaults.js';

/** Methods of a Response that read or show its body. */
const READERS = ['text', 'json', 'blob', 'bytes', 'arrayBuffer', 'formData', 'clone'] as const;

/**
 * Frees the connection of a response whose body may still be wanted: keeps the beginning of the body, 64 KiB of it or as much as arrives in
 * 250 ms, and cancels the rest. The Response stays the same object and reads as if that were all. Emits once, when that is done.
 */
export function keepBody(response: Response | undefined): Observable<void> {
  if (!response?.body || response.bodyUsed) return of(undefined);
  const isNative = response.body instanceof ReadableStream;
  return readBytes(response, { maxBytes: ERROR_BODY.bytes, truncate: true, until$: wait(ERROR_BODY.time) }).pipe(
    // A body that breaks is lost, its response is not.
    catchError(() => of(new Uint8Array())),
    map((bytes) => {
      keep(response, bytes);
      // A stand-in for a Response is read by coldfetch alone, from the bytes.
      if (isNative) overlay(response, bytes);
    }),
  );
}

function overlay(response: Response, bytes: Uint8Array): void {
  const { status, statusText, headers } = response;
  const copy = new Response(bytes.slice().buffer, { status, statusText, headers });
  for (const name of READERS) {
    // The method `bytes` is missing in Node 20.
    const read = (copy as Partial<Record<typeof name, () => unknown>>)[name];
    if (read) hidden(response, name, () => (takeKept(response), read.call(copy)));
  }
  hiddenGetter(response, 'body', () => copy.body);
  hiddenGetter(response, 'bodyUsed', () => copy.bodyUsed);
}
