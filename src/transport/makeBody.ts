import { from, map, mergeMap, Observable, of } from 'rxjs';
import { isReadableStream } from '../request/bodyShapes.js';
import { isThenable } from '../request/isThenable.js';
import { type Body, isStreamBody } from '../request/RequestBody.js';
import { isVirtual } from '../time.js';
import type { Call } from './Call.js';
import { seesRedirects, streamsWithLength } from './platform.js';
import { readAhead, readStream } from './readAhead.js';

/** A body, or an observable where it takes time to make it; undefined for none. */
export type MadeBody = Body | undefined | Observable<Body | undefined>;

/**
 * Makes the body of one attempt: by the body function, or from a Request whose bytes can only be counted when they are taken out of it. What
 * is undefined, or cannot be taken out, is left to `fetch`.
 */
export function makeBody({ input, body }: Call, signal: AbortSignal): MadeBody {
  if (typeof body === 'function') {
    const made = body({ signal });
    if (!isThenable(made)) return withLength(made);
    return from(made).pipe(mergeMap((later) => toObservable(withLength(later))));
  }
  if (body !== undefined) return withLength(body);
  return input instanceof Request && canTakeOut(input) ? readAhead(input, { impatient: true }) : undefined;
}

/** Whether the body of a Request can be sent as a stream instead; in virtual time, which streams do not settle in, it stays where it is. */
function canTakeOut({ body }: Request): boolean {
  return streamsWithLength && isReadableStream(body) && !isVirtual();
}

/** Reads a stream of known length into memory where `fetch` would send it without (Deno), since object storage refuses that. */
function withLength(body: Body): MadeBody {
  if (streamsWithLength || !seesRedirects || !isStreamBody(body) || body.length === undefined) return body;
  const { stream, type = '' } = body;
  return readStream(stream, { limit: Infinity }).pipe(map((bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>], { type })));
}

function toObservable(body: MadeBody): Observable<Body | undefined> {
  return body instanceof Observable ? body : of(body);
}
