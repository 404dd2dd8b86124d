import {
  bytesOf,
  type FormStream,
  isAsyncIterable,
  isBlob,
  isBytes,
  isFormData,
  isFormStream,
  isReadableStream,
  isShared,
  isUrlSearchParams,
} from '../request/bodyShapes.js';
import { UsageError } from '../request/errors/UsageError.js';
import { boundaryIn, encodeForm, keepForm, lastBoundary } from '../request/multipart.js';
import { type Body, type FetchBody, isStreamBody, isUsedStream } from '../request/RequestBody.js';
import { formStreamReader } from './formStreamReader.js';
import { blobReader, bytesReader, CHUNK, type ChunkReader, iterableReader, meterUpload, type UploadMeter } from './meterUpload.js';
import { streamsWithLength, typesText } from './platform.js';

/** A body in the form that `fetch` gets for one attempt, and what is known of it. */
export interface OutgoingBody {
  readonly body: FetchBody;
  /** Its length in bytes, where known. */
  readonly total: number | undefined;
  /** Its media type, where `fetch` would not find it by itself. */
  readonly type?: string | undefined;
  /** Whether its bytes are counted as they leave; what is not counted has no timeout until the headers arrive. */
  readonly counted: boolean;
  /** Whether it was made a stream: it needs `duplex` and its own `content-length`. */
  readonly streamed: boolean;
  /** Whether it is not in memory (a file, a stream): only `redirect: 'error'` keeps it so. */
  readonly external: boolean;
}

/** The bytes of a body, and what is known of them before they are read. */
interface Content {
  readonly read: () => ChunkReader;
  readonly total?: number | undefined;
  readonly type?: string | undefined;
  readonly external?: boolean;
}

const TEXT = 'text/plain;charset=UTF-8';
const QUERY = 'application/x-www-form-urlencoded;charset=UTF-8';

/**
 * Makes a body's way out visible. What fits in the buffers of a socket is handed over as it is and counts as sent at once. On Node larger
 * bodies go out as metered streams; a browser sends them as they are, uncounted.
 *
 * A form goes out encoded, so that its length is known and `fetch` need not know its class.
 */
export function outgoingBody(given: Body, controller: Pick<AbortController, 'signal'>, meter: UploadMeter): OutgoingBody {
  const body = isFormData(given) ? encodeForm(given) : isShared(given) ? bytesOf(given).slice() : given;
  const stream = streamOf(body);
  if (stream) return metered(stream, controller.signal, meter);
  const total = sizeOf(body);
  const known = !isBlob(body) || body instanceof Blob;
  const small = known && total !== undefined && total <= CHUNK;
  const content = small || !streamsWithLength ? undefined : contentOf(body, given);
  const type = typeof body === 'string' && !typesText ? TEXT : undefined;
  if (!content) return { body: body as FetchBody, total, type, counted: small, streamed: false, external: false };
  const outgoing = metered(content, controller.signal, meter);
  if (isFormData(given)) keepForm(outgoing.body as ReadableStream, given);
  return outgoing;
}

function metered({ read, total, type, external = false }: Content, signal: AbortSignal, meter: UploadMeter): OutgoingBody {
  return { body: meterUpload(read(), total, meter, signal), total, type, counted: true, streamed: true, external };
}

/** A body that is a stream already. */
function streamOf(body: Body): Content | undefined {
  if (isStreamBody(body)) return { read: () => readerOf(body.stream), total: body.length, type: body.type, external: true };
  if (isReadableStream(body)) return { read: () => readerOf(body), external: true };
  if (isFormStream(body)) return formStreamContent(body);
  return isAsyncIterable(body) ? { read: () => iterableReader(body), external: true } : undefined;
}

function formStreamContent(form: FormStream): Content {
  if (form._released === true) throw new UsageError('The form of form-data was already sent; make it anew, in a body function');
  const type = form.getHeaders()['content-type'];
  const total = form.hasKnownLength?.() === true ? form.getLengthSync?.() : undefined;
  // A form without fields gives no bytes at all, which no server reads as a form.
  if (total === 0 && type) return inMemory(new TextEncoder().encode(lastBoundary(boundaryIn(type))), type);
  return { read: () => formStreamReader(form), total, type, external: true };
}

/** A body in memory, or a file; undefined for what `fetch` makes text of in its own way. */
function contentOf(body: Body, given: Body): Content | undefined {
  if (typeof body === 'string') return inMemory(new TextEncoder().encode(body), TEXT);
  if (isUrlSearchParams(body)) return inMemory(new TextEncoder().encode(body.toString()), QUERY);
  // A copy, as fetch makes one: the caller may write to it later.
  if (isBytes(body)) return inMemory(bytesOf(body).slice());
  return isBlob(body) ? { read: () => blobReader(body), total: body.size, type: body.type, external: body === given } : undefined;
}

function inMemory(bytes: Uint8Array, type?: string): Content {
  return { read: () => bytesReader(bytes), total: bytes.byteLength, type };
}

function sizeOf(body: Body): number | undefined {
  if (typeof body === 'string') return body.length > CHUNK ? body.length : new TextEncoder().encode(body).length;
  if (isBlob(body)) return body.size;
  if (isBytes(body)) return body.byteLength;
  return isUrlSearchParams(body) ? body.toString().length : undefined;
}

/** The media type that `fetch` finds for a body by itself; undefined for none. */
export function mediaTypeOf(body: FetchBody): string | undefined {
  if (typeof body === 'string') return TEXT;
  if (isBlob(body)) return body.type;
  return isUrlSearchParams(body) ? QUERY : undefined;
}

function readerOf(stream: ReadableStream<Uint8Array>): ChunkReader {
  if (isUsedStream(stream))
    throw new UsageError('The body function gave a stream that was already read or is locked; make it anew each time');
  return stream.getReader();
}
