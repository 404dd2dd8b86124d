import { fileURLToPath } from 'node:url';
import { UsageError } from '../request/errors/UsageError.js';
import type { BodyFunction } from '../request/RequestBody.js';
import { contentTypeOf, inspectFile } from './files/inspectFile.js';
import type { FileStamp } from './files/FileStamp.js';
import { fileContent } from './files/fileContent.js';

/** Options of {@link fileBody}. */
export interface FileBodyOptions {
  /** Media type, sent as `content-type` unless the headers name one; by default that of the extension. */
  readonly type?: string | undefined;
  /** Stamp that the file must still have; by default each attempt sends the file as it then is. */
  readonly stamp?: FileStamp | undefined;
  /** True if an empty file may be sent; by default it is an error, since most often a program that failed has left it. */
  readonly allowEmpty?: boolean | undefined;
}

/**
 * A body that is read from disk while it is sent, anew for each attempt: a retried upload needs no more memory than one chunk, and goes out
 * with an exact `content-length`. Unsubscribing stops the reading and closes the file.
 *
 * Errors, none of them retried: `UsageError` for a file that is missing, a folder, empty or unreadable; `BodyError` for one that changed while
 * it was sent (or since its `stamp`). Each names the path.
 *
 * @param path of the file, or its `file:` URL
 *
 * @example
 * http.put('backups/today', fileBody('/var/backups/today.tar'), { observe: 'events' }).subscribe((event) => show(event));
 */
export function fileBody(path: string | URL, { type, stamp, allowEmpty = false }: FileBodyOptions = {}): BodyFunction {
  const name = path instanceof URL ? fileURLToPath(path) : path;
  return async () => {
    const found = await inspectFile(name);
    if (found.bytes === 0 && !allowEmpty) throw new UsageError(`${name} is empty (0 bytes); allowEmpty sends it all the same`);
    return fileContent(name, stamp ?? found, { type: type ?? contentTypeOf(name) });
  };
}
