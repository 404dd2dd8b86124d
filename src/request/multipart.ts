import { UsageError } from './errors/UsageError.js';
import { isObject } from './guards.js';
import { randomId } from './randomId.js';

/** The forms and Blobs that are sent in another form, by the Blobs and streams that they are sent as. */
const sources = new WeakMap<object, FormData | Blob>();

/**
 * A form in `multipart/form-data` (RFC 7578, as HTML has it), which every `fetch` takes whichever `FormData` it knows, and whose length is
 * known. Files are referred to, not copied.
 *
 * @throws UsageError for a file of another implementation, whose bytes a Blob cannot refer to
 */
export function encodeForm(form: FormData): Blob {
  const boundary = newBoundary();
  const parts = [...form].flatMap(([name, value]): (string | Blob)[] => {
    if (typeof value === 'string') return [partHead(boundary, crlf(name)), crlf(value), '\r\n'];
    // Bun leaves a Blob that was appended without a name as it is.
    const filename = (value.name as string | undefined) ?? 'blob';
    if (!isOwnBlob(value)) throw new UsageError(`The file ${filename} of the form is not a File of this platform; make it one`);
    return [partHead(boundary, crlf(name), { filename, type: value.type }), value, '\r\n'];
  });
  const encoded = new Blob([...parts, lastBoundary(boundary)], { type: multipartType(boundary) });
  keepSource(encoded, form);
  return encoded;
}

/** Remembers the form or the Blob that a body was made of. */
export function keepSource(body: object, source: FormData | Blob): void {
  sources.set(body, source);
}

/**
 * The form or the Blob that `body` was made of; any other body itself. A `fetch` that looks into bodies needs it: a recorder, or a server of
 * specs.
 */
export function sourceOf<T>(body: T): T | FormData | Blob {
  return (isObject(body) ? sources.get(body) : undefined) ?? body;
}

/** A boundary: a line that occurs in no part. It is in lower case, like a Blob's type. */
export function newBoundary(): string {
  return `coldfetch-${randomId()}`;
}

/** The media type of a form with this boundary. */
export function multipartType(boundary: string): string {
  return `multipart/form-data; boundary=${boundary}`;
}

/** The boundary that a media type names; empty if it names none. */
export function boundaryIn(type: string): string {
  return /;\s*boundary="?([^";]*)/i.exec(type)?.[1] ?? '';
}

/** The lines before a part's content: a text field, or a file. */
export function partHead(boundary: string, name: string, file?: { readonly filename: string; readonly type: string }): string {
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`;
  if (!file) return `${disposition}\r\n\r\n`;
  const type = escapeName(file.type || 'application/octet-stream');
  return `${disposition}; filename="${escapeName(file.filename)}"\r\nContent-Type: ${type}\r\n\r\n`;
}

/** The line behind the last part. */
export function lastBoundary(boundary: string): string {
  return `--${boundary}--\r\n`;
}

/** Text with the line breaks of a form. */
export function crlf(value: string): string {
  return value.replace(/\r\n?|\n/g, '\r\n');
}

/**
 * A name as it stands in quotes. All control characters are escaped beside the line breaks and the quote that HTML escapes: busboy, and so
 * every server of express, refuses a form with one in a header field.
 *
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
function escapeName(name: string): string {
  return name.replace(
    /[\x00-\x08\x0a-\x1f"\x7f]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function isOwnBlob(value: unknown): boolean {
  return value instanceof Blob;
}
