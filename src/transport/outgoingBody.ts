import {
  bytesOf,
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
import { hasMethods, tagOf } from '../request/guards.js';
import { keepSource } from '../request/multipart.js';
import { type Body, type FetchBody, isStreamBody, isUsedStream } from '../request/RequestBody.js';
import { isVirtual } from '../time.js';
import type { Content } from './Content.js';
import { type ChunkReader, iterableReader, meterUpload, type UploadMeter } from './meterUpload.js';
import { formContent, largeContent, missingType, sendableForm } from './platformBody.js';
import { CHUNK } from '../request/defaults.js';

/** A body in the form that `fetch` gets for one attempt, with its facts. */
export interface OutgoingBody {
  readonly body: FetchBody;
  /** Length of the body in bytes, where known. */
  readonly total: number | undefined;
  /** Media type of the body, where `fetch` would not find it by itself. */
  readonly type?: string | undefined;
  /** True if the bytes are counted as they leave; an uncounted body has no timeout until the headers arrive. */
  readonly counted: boolean;
  /** True if the body was made a stream: it needs `duplex` and its own `content-length`. */
  readonly streamed: boolean;
  /** True if the body is not in memory (a file, a stream): only `redirect: 'error'` keeps it so. */
  readonly external: boolean;
}

/**
 * Makes the way out of a body observable. A body that fits in the buffers of a socket is handed over as it is and counts as sent at once.
 * On Node larger bodies go out as metered streams; a browser sends them as they are, uncounted.
 *
 * A form goes out encoded, except in browsers, where its size is that of its values. In virtual time, in which streams do not settle, a small Blob
 * of any implementation is handed over as well.
 */
export function outgoingBody(given: Body, controller: Pick<AbortController, 'signal'>, meter: UploadMeter): OutgoingBody {
  const body = isFormData(given) ? sendableForm(given) : isShared(given) ? bytesOf(given).slice() : given;
  if (isStreamBody(body) && body.bytes && body.bytes.byteLength <= CHUNK) return inOnePiece(body.bytes, body.type);
  const stream = streamOf(body);
  if (stream) return metered(stream, controller.signal, meter);
  const total = sizeOf(body);
  const known = !isBlob(body) || isPlatformBlob(body) || isVirtual();
  const small = known && total !== undefined && total <= CHUNK;
  const content = small ? undefined : largeContent(body, given);
  if (!content) return { body: body as FetchBody, total, type: missingType(body), counted: small, streamed: false, external: false };
  const outgoing = metered(content, controller.signal, meter);
  if (isFormData(given) || isBlob(given)) keepSource(outgoing.body as ReadableStream, given);
  return outgoing;
}

function metered({ read, total, type, external = false }: Content, signal: AbortSignal, meter: UploadMeter): OutgoingBody {
  return { body: meterUpload(read(), total, meter, signal), total, type, counted: true, streamed: true, external };
}

/** Bytes that stand for a stream: sent as they are, and not sent on to where a redirect leads, as is no stream. */
function inOnePiece(bytes: Uint8Array, type: string | undefined): OutgoingBody {
  return { body: bytes as Uint8Array<ArrayBuffer>, total: bytes.byteLength, type, counted: true, streamed: false, external: true };
}

/** A body that is a stream already. */
function streamOf(body: Body): Content | undefined {
  if (isStreamBody(body)) return { read: () => readerOf(body.stream), total: body.length, type: body.type, external: true };
  if (isReadableStream(body)) return { read: () => readerOf(body), external: true };
  if (isFormStream(body)) return formContent(body);
  return isAsyncIterable(body) ? { read: () => iterableReader(body), external: true } : undefined;
}

/** True if the platform's `fetch` takes a Blob: one of another class, or of a DOM environment (jsdom, happy-dom), is read for it. */
function isPlatformBlob(blob: Blob): boolean {
  return blob instanceof Blob && tagOf(blob) !== 'Object' && hasMethods(blob, 'stream');
}

function sizeOf(body: Body): number | undefined {
  if (typeof body === 'string') return body.length > CHUNK ? body.length : new TextEncoder().encode(body).length;
  if (isBlob(body)) return body.size;
  if (isBytes(body)) return body.byteLength;
  if (isFormData(body)) return [...body].reduce((size, [, value]) => size + (typeof value === 'string' ? value.length : value.size), 0);
  return isUrlSearchParams(body) ? body.toString().length : undefined;
}

function readerOf(stream: ReadableStream<Uint8Array>): ChunkReader {
  if (isUsedStream(stream))
    throw new UsageError('The body function gave a stream that was already read or is locked; make it anew each time');
  return stream.getReader();
}
