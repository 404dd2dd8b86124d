import type { HttpRequest } from './HttpRequest.js';

/** Whether `value` has fields: neither a primitive nor `null`. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether `value` is a promise, of whichever library, or what stands in for one: something with a `then`. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Whether `url` is absolute, and of the web. */
export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Whether `value` is a request, by the fields that are read of it: a copy of this library has a class of its own. */
export function isRequest(value: unknown): value is HttpRequest {
  const { method, url, headers, context, clone } = Object(value) as Partial<HttpRequest>;
  return typeof method === 'string' && typeof url === 'string' && isObject(headers) && isObject(context) && typeof clone === 'function';
}

/** The `code` of an error, as Node and its packages give it: `'ENOENT'`, say; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
