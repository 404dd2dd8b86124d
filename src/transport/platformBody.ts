import { map, type Observable } from 'rxjs';
import { bytesOf, type FormStream, isBlob, isBytes, isReadableStream, isUrlSearchParams } from '../request/bodyShapes.js';
import { NetworkError } from '../request/errors/NetworkError.js';
import { UsageError } from '../request/errors/UsageError.js';
import { boundaryIn, encodeForm, lastBoundary } from '../request/multipart.js';
import { type Body, type FetchBody, isStreamBody } from '../request/RequestBody.js';
import type { RequestSummary } from '../request/RequestSummary.js';
import { isVirtual } from '../time.js';
import type { Content } from './Content.js';
import { formStreamReader } from './formStreamReader.js';
import type { Hop } from './Hop.js';
import { blobReader, bytesReader } from './meterUpload.js';
import { seesRedirects, streamsWithLength, typesText } from './platform.js';
import { readAhead, readStream } from './readAhead.js';

const TEXT = 'text/plain;charset=UTF-8';
const QUERY = 'application/x-www-form-urlencoded;charset=UTF-8';

/** A body, or an observable of one that takes time to make; undefined for none. */
export type MadeBody = Body | undefined | Observable<Body | undefined>;

/**
 * The body of a Request, taken out to be sent as a stream, to count its bytes. Undefined where it stays in the Request: where there is
 * none, where streams are sent without their length, and in virtual time, in which streams do not settle.
 */
export function takeOut(request: Request): MadeBody {
  return streamsWithLength && isReadableStream(request.body) && !isVirtual() ? readAhead(request, { impatient: true }) : undefined;
}

/** Reads a stream of known length into memory where `fetch` would send it without (Deno), since object storage refuses that. */
export function withLength(body: Body): MadeBody {
  if (streamsWithLength || !seesRedirects || !isStreamBody(body) || body.length === undefined) return body;
  const { stream, type = '' } = body;
  return readStream(stream, { limit: Infinity }).pipe(map((bytes) => new Blob([bytes as Uint8Array<ArrayBuffer>], { type })));
}

/** The media type that `fetch` finds for a body by itself; undefined for none. */
export function mediaTypeOf(body: FetchBody): string | undefined {
  if (typeof body === 'string') return TEXT;
  if (isBlob(body)) return body.type;
  return isUrlSearchParams(body) ? QUERY : undefined;
}

/** The media type that the platform's `fetch` should find for a body, but does not. */
export function missingType(body: Body): string | undefined {
  return typeof body === 'string' && !typesText ? TEXT : undefined;
}

/** A form as the platform's `fetch` gets it: encoded, so that its length is known and `fetch` need not know its class. */
export function sendableForm(form: FormData): Body {
  return encodeForm(form);
}

/** The content of a form of the package `form-data`. */
export function formContent(form: FormStream): Content {
  if (form._released === true) throw new UsageError('The form of form-data was already sent; make it anew, in a body function');
  const type = form.getHeaders()['content-type'];
  const total = form.hasKnownLength?.() === true ? form.getLengthSync?.() : undefined;
  // A form without fields gives no bytes at all, which no server reads as a form.
  if (total === 0 && type) return inMemory(new TextEncoder().encode(lastBoundary(boundaryIn(type))), type);
  return { read: () => formStreamReader(form), total, type, external: true };
}

/**
 * The content of a body in memory, or of a file, that is sent as a stream, to count its bytes. Undefined where the platform's `fetch` gets
 * the body as it is: an object that it makes text of in its own way, and any body where streams are sent without their length.
 */
export function largeContent(body: Body, given: Body): Content | undefined {
  if (!streamsWithLength) return undefined;
  if (typeof body === 'string') return inMemory(new TextEncoder().encode(body), TEXT);
  if (isUrlSearchParams(body)) return inMemory(new TextEncoder().encode(body.toString()), QUERY);
  // Bytes are copied, as `fetch` copies them: the caller may write to them later.
  if (isBytes(body)) return inMemory(bytesOf(body).slice());
  return isBlob(body) ? { read: () => blobReader(body), total: body.size, type: body.type, external: body === given } : undefined;
}

function inMemory(bytes: Uint8Array, type?: string): Content {
  return { read: () => bytesReader(bytes), total: bytes.byteLength, type };
}

/**
 * Refuses a body of another length than its `content-length` says. Node's `fetch` refuses it too, but hangs where the body is the longer
 * one (measured on Node 20 to 26).
 *
 * @throws NetworkError with the code of undici
 */
export function requireLength(total: number | undefined, { headers }: Hop, request: RequestSummary): void {
  const claimed = headers.get('content-length');
  if (total === undefined || claimed === null || Number(claimed) === total) return;
  const problem = `the body has ${total} bytes, and its content-length says ${claimed}`;
  throw new NetworkError(`${request.toString()}: ${problem}`, 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', { request, unsent: true });
}
