import { defer, from, isObservable, map, type Observable, of, take, throwIfEmpty } from 'rxjs';
import { UsageError } from '../../../request/errors/UsageError.js';
import { isObject, isThenable } from '../../../request/guards.js';
import { isHttpUrl } from '../../../request/urls.js';
import type { UploadFile } from '../../UploadTarget.js';

/** Place of one file: a URL, or one with the header fields that its signature asks for. */
export type PutAddress = string | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/**
 * Finds the place of a file, at once or asynchronously. It is called for each file when that is sent, and again where its URL has expired.
 */
export type PutAddressing = (file: UploadFile) => PutAddress | Observable<PutAddress> | PromiseLike<PutAddress>;

/** A place that was checked. */
export interface ResolvedAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Finds the place of a file. Fails with a UsageError that names the file where there is none, and with any error of `addressing`. */
export function findAddress(addressing: PutAddressing, file: UploadFile): Observable<ResolvedAddress> {
  return defer(() => {
    const given = addressing(file);
    return isObservable(given) || isThenable(given) ? from(given) : of(given);
  }).pipe(
    take(1),
    throwIfEmpty(() => new UsageError(`${file.name} has no URL`)),
    map((address) => resolveAddress(address, file.name)),
  );
}

/**
 * Checks a place. The message does not show the URL: its signature is a secret.
 *
 * @throws UsageError that begins with `of`
 */
export function resolveAddress(given: unknown, of: string): ResolvedAddress {
  const { url, headers = {} } = (typeof given === 'string' ? { url: given } : Object(given)) as { url?: unknown; headers?: unknown };
  if (typeof url !== 'string' || !isHttpUrl(url))
    throw new UsageError(`${of} has no http or https URL; give it one, as a text or as { url, headers }`);
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError(`${of} has a URL with a user name or password, which is not sent; send an authorization header instead`);
  if (!isObject(headers) || !Object.values(headers).every((value) => typeof value === 'string'))
    throw new UsageError(`${of} has invalid header fields; give an object of texts`);
  return { url, headers: headers as Readonly<Record<string, string>> };
}
