/*
 * Guards of bodies by their shape, not by their class: undici's `FormData`, a polyfill's `Blob` and the `ArrayBuffer` of another realm (under
 * Jest) are no instances of the platform's. Classes of happy-dom have no tag either.
 */
import { hasMethods, isObject, tagOf } from './guards.js';

/** A form of the package `form-data`: a stream of Node's oldest kind that knows its header fields. */
export interface FormStream {
  getHeaders(): Readonly<Record<string, string>>;
  /** True if the length of each part is known. */
  hasKnownLength?(): boolean;
  getLengthSync?(): number;
  /** True if the form's bytes have begun to flow; they flow once. */
  readonly _released?: boolean;
  on(event: string, listener: (value: never) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy?(): unknown;
}

/** True if `body` is a form, of any implementation of `FormData` whose fields can be listed. */
export function isFormData(body: unknown): body is FormData {
  return (tagOf(body) === 'FormData' || isOwnForm(body)) && hasMethods(body, Symbol.iterator, 'getAll');
}

/** True if `body` is a form of the platform's own class, even if its fields cannot be listed (React Native). */
function isOwnForm(body: unknown): boolean {
  return typeof FormData === 'function' && body instanceof FormData;
}

/** True if `body` is a form of the package `form-data`. */
export function isFormStream(body: unknown): body is FormStream {
  return hasMethods(body, 'getHeaders', 'on', 'pause', 'resume') && !isFormData(body);
}

/** True if `body` is a `Blob` or a `File`, of any implementation whose bytes can be read. */
export function isBlob(body: unknown): body is Blob {
  return hasMethods(body, 'slice', 'arrayBuffer') && (/^(Blob|File)$/.test(tagOf(body)) || hasSizeAndType(body));
}

function hasSizeAndType(body: unknown): boolean {
  const { size, type } = (isObject(body) ? body : {}) as Partial<Blob>;
  return typeof size === 'number' && typeof type === 'string';
}

/** True if `body` is a form in the query syntax. */
export function isUrlSearchParams(body: unknown): body is URLSearchParams {
  return tagOf(body) === 'URLSearchParams';
}

/** True if `body` is a buffer or a view of one. */
export function isBytes(body: unknown): body is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(body) || /^(Shared)?ArrayBuffer$/.test(tagOf(body));
}

/** True if `body` is memory that threads share, or a view of it: no `fetch` sends shared memory. */
export function isShared(body: unknown): body is ArrayBufferView | ArrayBuffer {
  return tagOf(ArrayBuffer.isView(body) ? body.buffer : body) === 'SharedArrayBuffer';
}

/** True if `body` is a web stream. */
export function isReadableStream(body: unknown): body is ReadableStream<Uint8Array> {
  return tagOf(body) === 'ReadableStream' && hasMethods(body, 'getReader');
}

/** True if `body` is an async iterable, as Node's own streams are. */
export function isAsyncIterable(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** True if `body` is sent as it is, not as JSON. */
export function isFetchBody(body: unknown): boolean {
  return (
    typeof body === 'string' ||
    [isBytes, isBlob, isFormData, isOwnForm, isUrlSearchParams, isReadableStream, isAsyncIterable, isFormStream].some((isKind) =>
      isKind(body),
    )
  );
}

/** The bytes of a buffer or a view of one, shared with it. */
export function bytesOf(body: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array(body);
}
