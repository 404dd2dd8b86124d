import type { Observable } from 'rxjs';
import type { HttpEvent } from '../request/HttpEvent.js';
import type { FileStamp } from './files/FileStamp.js';
import type { Screenshot } from './Screenshot.js';
import type { Build } from './UploadBuildEvent.js';

/** A file whose length and time are known. */
export interface InspectedFile extends Screenshot {
  /** Length and time of the file; a body with this stamp fails where the file has changed since. */
  readonly stamp: FileStamp;
}

/** A file whose bytes were read once. */
export interface UploadFile extends InspectedFile {
  /** SHA-256 of the file's bytes, hex. */
  readonly key: string;
}

/** Some of the files of an upload: at most as many as one request may ask for. */
export interface UploadPart {
  /** Number of the part, from 1. */
  readonly index: number;
  /** Number of parts. */
  readonly total: number;
  /** Files of the part, in their order. */
  readonly files: readonly UploadFile[];
  /** Files whose bytes are to be sent: of files with equal bytes only the first, where the target addresses by content. */
  readonly images: readonly UploadFile[];
  /** Id of the upload: the same for all of its parts, and in a run that resumes it. */
  readonly uploadId: string;
  /** True if a later run may resume the upload, so that asking again has to lead to the same build. */
  readonly resumable: boolean;
  /** Build that an earlier run had for the upload. */
  readonly earlierBuild?: Build | undefined;
}

/** Answer of a target to a part: the build that the files go to, and the permits for files that the target lacks. */
export interface PreparedUpload<Permit> {
  readonly type: 'prepared';
  /** The build that the files go to; for a target without builds a name and a URL to be shown. */
  readonly build: Build;
  /** Permits for the images that are to be sent, by their address: `key`, or `name` where the target addresses by name. */
  readonly permits: ReadonlyMap<string, Permit>;
}

/**
 * Destination of an upload, for `uploadTo`: `prepare` asks which files are lacking, `send` sends one file, `complete` ends a part. All
 * three are cold observables of requests, made by `http.request` and its like with `observe: 'events'`: waits and progress are read from
 * their events, and unsubscribing stops them. A target keeps no state of an upload.
 *
 * @example
 * const archive: UploadTarget<undefined> = {
 *   addressing: 'name',
 *   prepare: ({ images }) => of({
 *     type: 'prepared',
 *     build: { id: 'archive', url: 'https://files.example.com/' },
 *     permits: new Map(images.map(({ name }) => [name, undefined])),
 *   }),
 *   send: ({ name, path, contentType: type, stamp }) =>
 *     http.put(`https://files.example.com/${encodeURI(name)}`, fileBody(path, { type, stamp }), { observe: 'events', responseType: 'text' }),
 *   complete: () => EMPTY,
 * };
 */
export interface UploadTarget<Permit = unknown> {
  /** `'content'`: equal bytes are sent once, for all of their names; `'name'`: every file is sent. */
  readonly addressing: 'content' | 'name';
  /** Text that identifies the content and the destination of the upload: a journal is resumed only by an upload of the same text. */
  readonly identity?: string | undefined;
  /** Most files of a part; a larger upload has several. No bound by default. */
  readonly partSize?: number | undefined;
  /** Reason why a file cannot be sent, in words that begin with its path; it is called before anything is sent. */
  readonly refuse?: ((file: InspectedFile) => string | undefined) | undefined;
  /** Asks which files of a part the target lacks. The part is asked for again where a permit has expired. An error ends the upload. */
  prepare(part: UploadPart): Observable<HttpEvent | PreparedUpload<Permit>>;
  /** Sends one file; a `response` means that it has arrived. An error is the failure of this file only. */
  send(file: UploadFile, permit: Permit): Observable<HttpEvent>;
  /** True if a failure of `send` means that its permit has expired; none does by default. */
  readonly isExpired?: ((error: unknown) => boolean) | undefined;
  /** Ends a part whose files have arrived. Parts are ended in their order, when all files of the upload have arrived. An error ends the upload. */
  complete(part: UploadPart, build: Build): Observable<HttpEvent>;
}
