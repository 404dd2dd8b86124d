import { basename } from 'node:path';
import { UsageError } from '../request/errors/UsageError.js';
import { crlf, lastBoundary, multipartType, newBoundary, partHead } from '../request/multipart.js';
import type { BodyFunction } from '../request/RequestBody.js';
import { contentTypeOf, inspectFile } from './files/inspectFile.js';
import type { FileStamp } from './files/FileStamp.js';
import { fileContent } from './files/fileContent.js';

/** The file of a {@link multipartBody}. */
export interface MultipartFile {
  readonly path: string;
  /** Name of the form's field for the file; `'file'` by default. */
  readonly field?: string | undefined;
  /** File name in the form; by default that of the path. */
  readonly filename?: string | undefined;
  /** Media type of the file; by default that of its extension. */
  readonly type?: string | undefined;
  /** State that the file must still have; by default each attempt sends the file as it then is. */
  readonly stamp?: FileStamp | undefined;
}

/**
 * A `multipart/form-data` body (RFC 7578) of text fields and one file, which is read from disk while it is sent: all fields in their order,
 * then the file, as browser uploads to object storage demand. It has an exact `content-length`, and is made anew for each attempt.
 *
 * Errors are those of `fileBody`, but an empty file may be sent.
 *
 * @example
 * http.post(postUrl, multipartBody(fields, { path: 'shots/home.png' }), { responseType: 'text' });
 */
export function multipartBody(fields: Readonly<Record<string, string | number | boolean>>, file: MultipartFile): BodyFunction {
  const { path, field = 'file', filename = basename(path), type = contentTypeOf(path), stamp } = file;
  if (/[\r\n]/.test(type)) throw new UsageError(`The type of ${path} holds a line break; give a media type such as image/png`);
  const boundary = newBoundary();
  const texts = Object.entries(fields).map(([name, value]) => `${partHead(boundary, name)}${crlf(String(value))}\r\n`);
  const encoder = new TextEncoder();
  const head = encoder.encode(texts.join('') + partHead(boundary, field, { filename, type }));
  const tail = encoder.encode(`\r\n${lastBoundary(boundary)}`);
  return async () => fileContent(path, stamp ?? (await inspectFile(path)), { type: multipartType(boundary), head, tail });
}
