import { concat, concatMap, defer, EMPTY, type Observable, of } from 'rxjs';
import type { HttpClient } from '../client/HttpClient.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { HttpEvent } from '../request/HttpEvent.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import { fileBody } from './fileBody.js';
import { type ChecksumHeader, checksumHeaders } from './upload/put/checksumHeaders.js';
import { isExpiredForm } from './upload/build/sendToStorage.js';
import { makeCollections } from './upload/put/makeCollections.js';
import { findAddress, type PutAddressing } from './upload/put/PutAddress.js';
import { preparedFor } from './upload/put/preparedFor.js';
import { urlTemplate } from './upload/put/urlTemplate.js';
import type { UploadFile, UploadTarget } from './UploadTarget.js';
import { uploadPolicy } from './uploadPolicy.js';

/** Options of {@link putTarget}. */
export interface PutTargetOptions {
  /** Header fields of each request; a `content-type` here comes before that of the file's extension. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Header fields that carry the SHA-256 of each file; none by default. */
  readonly checksums?: readonly ChecksumHeader[] | undefined;
  /** True if missing collections (folders of a WebDAV server) are made first; a server answers 409 without them. */
  readonly makeCollections?: boolean | undefined;
  /** Policy by which requests are retried, {@link uploadPolicy} by default. */
  readonly retry?: RetryPolicyInput<HttpEvent> | undefined;
}

/**
 * A target to which each file is sent by PUT, at a URL of its own: WebDAV, presigned URLs, S3-compatible storage with {@link s3Signer}. Bodies stream from disk with an exact `content-length`, never chunked. What is there is overwritten.
 *
 * @param template URL with `{name}` (the file's name, percent-encoded) or `{key}` (its SHA-256, hex); one that ends in `/` is a folder. A function gives
 * each file a URL of its own, at once or by an observable or promise, with header fields that go before those of `options` where the signature asks for them
 * @throws UsageError for a URL that is none, or would be the same for all files, and for `makeCollections` with a function
 *
 * @example
 * const http = createClient({ pace: true });
 * uploadTo(putTarget(http, 'https://dav.example.com/shots/'), screenshots('shots')).subscribe((event) => console.log(event.type));
 *
 * @example
 * const presigned = putTarget(http, ({ name }) => http.post<{ url: string }>('https://api.example.com/sign', { name }));
 */
export function putTarget(http: HttpClient, template: string | PutAddressing, options: PutTargetOptions = {}): UploadTarget<undefined> {
  const { headers = {}, checksums = [], makeCollections: needsCollections = false, retry = uploadPolicy } = options;
  const put = (file: UploadFile, url: string, own: Readonly<Record<string, string>>): Observable<HttpEvent> =>
    http.put(url, fileBody(file.path, { type: file.contentType, stamp: file.stamp, allowEmpty: true }), {
      observe: 'events',
      responseType: 'text',
      headers: { ...inLowerCase(headers), ...checksumHeaders(checksums, file), ...inLowerCase(own) },
      retry,
    });
  if (typeof template === 'function') {
    if (needsCollections)
      throw new UsageError('putTarget: makeCollections needs a URL with {name}; URLs of their own have no folders in common');
    return {
      addressing: 'name',
      prepare: ({ files }) => of(preparedFor(files, 'URLs of their own')),
      send: (file) => findAddress(template, file).pipe(concatMap(({ url, headers: own }) => put(file, url, own))),
      isExpired: isExpiredForm,
      complete: () => EMPTY,
    };
  }
  const { urlOf, base } = urlTemplate(template);
  return {
    addressing: 'name',
    prepare: ({ files }) =>
      concat(
        needsCollections ? defer(() => makeCollections(http, base, files.map(urlOf), { headers, retry })) : EMPTY,
        of(preparedFor(files, base)),
      ),
    send: (file): Observable<HttpEvent> => defer(() => put(file, urlOf(file), {})),
    complete: () => EMPTY,
  };
}

/** Header fields by lower-case name, so that equal names are found in any spelling. */
function inLowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
