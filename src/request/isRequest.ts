import type { HttpRequest } from './HttpRequest.js';
import { isObject } from './isObject.js';

/** Whether `value` is a request, by the fields that are read of it: a copy of this library has a class of its own. */
export function isRequest(value: unknown): value is HttpRequest {
  const { method, url, headers, context, clone } = Object(value) as Partial<HttpRequest>;
  return typeof method === 'string' && typeof url === 'string' && isObject(headers) && isObject(context) && typeof clone === 'function';
}
