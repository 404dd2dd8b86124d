import { defer, type Observable } from 'rxjs';
import type { HttpClient } from '../../../client/HttpClient.js';
import { isHttpError } from '../../../request/errors/HttpError.js';
import type { HttpEvent } from '../../../request/HttpEvent.js';
import { ATTEMPT_HEADER, REQUEST_ID_HEADER } from '../../buildClient.js';
import { multipartBody } from '../../multipartBody.js';
import type { UploadFile } from '../../UploadTarget.js';
import { storageError } from '../describeFailure.js';
import type { ResolvedBuildOptions } from './resolveBuildOptions.js';
import type { UploadForm } from './UploadForm.js';

/** Header fields for the API alone; object storage, on whichever origin, gets none of them. */
const NOT_FOR_STORAGE = { authorization: null, [REQUEST_ID_HEADER]: null, [ATTEMPT_HEADER]: null };

/** Sends one image by the form that permits it. */
export function sendToStorage(
  http: HttpClient,
  { retry }: ResolvedBuildOptions,
  { path, contentType, stamp }: UploadFile,
  { postUrl, fields }: UploadForm,
): Observable<HttpEvent> {
  return defer(() =>
    http.post(postUrl, multipartBody(fields, { path, type: contentType, stamp }), {
      observe: 'events',
      responseType: 'text',
      headers: NOT_FOR_STORAGE,
      retry,
    }),
  );
}

/** True if the policy of a form has expired: S3 says so with 403. */
export function isExpiredForm(error: unknown): boolean {
  if (!isHttpError(error) || error.status !== 403) return false;
  const { code = '', message = '' } = storageError(error) ?? {};
  return /expired/i.test(`${code} ${message}`);
}
