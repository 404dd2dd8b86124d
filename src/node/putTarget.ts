import { concat, defer, EMPTY, type Observable, of } from 'rxjs';
import type { HttpClient } from '../client/HttpClient.js';
import type { HttpEvent } from '../request/HttpEvent.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import { fileBody } from './fileBody.js';
import { type ChecksumHeader, checksumHeaders } from './upload/put/checksumHeaders.js';
import { makeCollections } from './upload/put/makeCollections.js';
import { preparedFor } from './upload/put/preparedFor.js';
import { urlTemplate } from './upload/put/urlTemplate.js';
import type { UploadTarget } from './UploadTarget.js';
import { uploadPolicy } from './uploadPolicy.js';

/** Options of {@link putTarget}. */
export interface PutTargetOptions {
  /** Header fields of each request; a `content-type` here comes before that of the file's extension. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Header fields that carry the SHA-256 of each file; none by default. */
  readonly checksums?: readonly ChecksumHeader[] | undefined;
  /** Whether missing collections (folders of a WebDAV server) are made first; a server answers 409 without them. */
  readonly makeCollections?: boolean | undefined;
  /** Policy by which requests are retried, {@link uploadPolicy} by default. */
  readonly retry?: RetryPolicyInput<HttpEvent> | undefined;
}

/**
 * A target to which each file is sent by PUT, at a URL of its own: WebDAV, presigned URLs that hold for a folder, S3-compatible storage with
 * {@link s3Signer}. Bodies stream from disk with an exact `content-length`, never chunked. What is there is overwritten.
 *
 * @param template URL with `{name}` (the file's name, percent-encoded) or `{key}` (its SHA-256, hex); one that ends in `/` is a folder
 * @throws UsageError for a URL that is none, or would be the same for all files
 *
 * @example
 * const http = createClient({ pace: true });
 * uploadTo(putTarget(http, 'https://dav.example.com/shots/'), screenshots('shots')).subscribe((event) => console.log(event.type));
 */
export function putTarget(http: HttpClient, template: string, options: PutTargetOptions = {}): UploadTarget<undefined> {
  const { headers = {}, checksums = [], makeCollections: needsCollections = false, retry = uploadPolicy } = options;
  const { urlOf, base } = urlTemplate(template);
  return {
    addressing: 'name',
    prepare: ({ files }) =>
      concat(
        needsCollections ? defer(() => makeCollections(http, base, files.map(urlOf), { headers, retry })) : EMPTY,
        of(preparedFor(files, base)),
      ),
    send: (file): Observable<HttpEvent> =>
      defer(() =>
        http.put(urlOf(file), fileBody(file.path, { type: file.contentType, stamp: file.stamp, allowEmpty: true }), {
          observe: 'events',
          responseType: 'text',
          headers: { ...headers, ...checksumHeaders(checksums, file) },
          retry,
        }),
      ),
    complete: () => EMPTY,
  };
}
