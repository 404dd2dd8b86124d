import { defer, EMPTY, type Observable, of } from 'rxjs';
import type { HttpClient } from '../client/HttpClient.js';
import { isHttpUrl } from '../request/urls.js';
import { UsageError } from '../request/errors/UsageError.js';
import type { HttpEvent } from '../request/HttpEvent.js';
import type { RetryPolicyInput } from '../retry/RetryPolicy.js';
import { multipartBody } from './multipartBody.js';
import { preparedFor } from './upload/put/preparedFor.js';
import { uploadPolicy } from './uploadPolicy.js';
import type { UploadTarget } from './UploadTarget.js';

/** Options of {@link formTarget}. */
export interface FormTargetOptions {
  /** Name of the form's field for the file; `'file'` by default. */
  readonly field?: string | undefined;
  /** Further fields, sent before the file; `{name}` and `{key}` in a value stand for the file's name and SHA-256. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Header fields of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Policy by which requests are retried, {@link uploadPolicy} by default: a form may be sent again after a lost response, so a server that
   * does not recognize a file by its name may receive it twice.
   */
  readonly retry?: RetryPolicyInput<HttpEvent> | undefined;
}

/**
 * A target to which each file is sent by POST in a `multipart/form-data` form, all to one URL. Bodies stream from disk with an exact
 * `content-length`.
 *
 * @throws UsageError for a text that is no URL of the web
 *
 * @example
 * const target = formTarget(http, 'https://app.example.com/upload', { field: 'image', fields: { path: '{name}' } });
 * uploadTo(target, screenshots('shots')).subscribe((event) => console.log(event.type));
 */
export function formTarget(http: HttpClient, url: string, options: FormTargetOptions = {}): UploadTarget<undefined> {
  const { field, fields = {}, headers = {}, retry = uploadPolicy } = options;
  if (!isHttpUrl(url)) throw new UsageError('The target is not an http or https URL; give one such as https://app.example.com/upload');
  return {
    addressing: 'name',
    prepare: ({ files }) => of(preparedFor(files, url.replace(/[?#].*$/s, ''))),
    send: ({ name, key, path, contentType, stamp }): Observable<HttpEvent> =>
      defer(() => {
        const filled = Object.entries(fields).map(
          ([each, value]) => [each, value.replaceAll('{name}', () => name).replaceAll('{key}', key)] as const,
        );
        const body = multipartBody(Object.fromEntries<string>(filled), { path, field, type: contentType, stamp });
        return http.post(url, body, { observe: 'events', responseType: 'text', headers, retry });
      }),
    complete: () => EMPTY,
  };
}
