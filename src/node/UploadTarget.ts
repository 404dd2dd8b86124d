import type { Observable } from 'rxjs';
import type { HttpEvent } from '../request/HttpEvent.js';
import type { FileStamp } from './files/FileStamp.js';
import type { Screenshot } from './Screenshot.js';
import type { Build } from './UploadBuildEvent.js';

/** A file that was looked at. */
export interface InspectedFile extends Screenshot {
  /** Its length and time; a body with this stamp fails where the file has changed since. */
  readonly stamp: FileStamp;
}

/** A file whose bytes were read once. */
export interface UploadFile extends InspectedFile {
  /** SHA-256 of its bytes, hex. */
  readonly key: string;
}

/** Some of the files of an upload: those that one request may ask for. */
export interface UploadPart {
  /** Number of the part, from 1. */
  readonly index: number;
  /** Number of parts. */
  readonly total: number;
  /** Files of the part, in their order. */
  readonly files: readonly UploadFile[];
  /** Files whose bytes are to be had: of files with equal bytes only the first, where the target addresses by content. */
  readonly images: readonly UploadFile[];
  /** Id of the upload: the same for all of its parts, and in a run that resumes it. */
  readonly uploadId: string;
  /** True if a later run may resume the upload, so that asking again has to lead to the same build. */
  readonly resumable: boolean;
  /** Build that an earlier run had for the upload. */
  readonly earlierBuild?: Build | undefined;
}

/** Answer of a target to a part: where it goes, and what it lacks. */
export interface PreparedUpload<Permit> {
  readonly type: 'prepared';
  /** The build that the files go to; for a target without builds a name and a URL to be shown. */
  readonly build: Build;
  /** Permits for the images that are to be sent, by their address: `key`, or `name` where the target addresses by name. */
  readonly permits: ReadonlyMap<string, Permit>;
}

/**
 * Destination of an upload, for `uploadTo`: `prepare` asks what is lacking, `send` sends one file, `complete` ends a part. All three are
 * cold observables of requests, made by `http.request` and its like with `observe: 'events'`: waits and progress are told from their events, and
 * unsubscribing stops them. A target keeps no state of an upload.
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
  /** Text that tells what is uploaded and where to: a journal is resumed by an upload of the same text only. */
  readonly identity?: string | undefined;
  /** The most files of a part; a larger upload has several. No bound by default. */
  readonly partSize?: number | undefined;
  /** Reason why a file cannot be sent, in words that begin with its path; asked before anything is sent. */
  readonly refuse?: ((file: InspectedFile) => string | undefined) | undefined;
  /** Asks what the target lacks of a part. The part is asked for again where a permit has expired. An error ends the upload. */
  prepare(part: UploadPart): Observable<HttpEvent | PreparedUpload<Permit>>;
  /** Sends one file; a `response` means that it has arrived. An error is the failure of this file only. */
  send(file: UploadFile, permit: Permit): Observable<HttpEvent>;
  /** True if a failure of `send` says that its permit has expired; none does by default. */
  readonly isExpired?: ((error: unknown) => boolean) | undefined;
  /** Ends a part whose files have arrived. Parts are ended in their order, when all files of the upload have arrived. An error ends the upload. */
  complete(part: UploadPart, build: Build): Observable<HttpEvent>;
}
