import { copyResponse } from '../../transport/copyResponse.js';
import type { ReadableBody } from '../../transport/readAll.js';
import { decoded } from './decoded.js';
import { nativeStream } from './nativeStream.js';
import type { ResponseHead } from './ResponseHandler.js';
import { NULL_BODY_STATUSES } from '../../transport/guardBody.js';

/**
 * Makes a stand-in for a Response where coldfetch alone sees it: its head, and a body that makes no promises.
 *
 * @param platform true if other code will see it: then it is a Response of the platform, and so is one that is no success, since errors
 * hold it
 */
export function toResponse({ status, statusText, headers, body }: ResponseHead, method: string, url: string, platform: boolean): Response {
  const ok = status >= 200 && status <= 299;
  const source = bodyOf(method, status, headers, body);
  const plain = { status, statusText, headers, ok, url, redirected: false, type: 'basic', body: source } as object as Response;
  if (ok && !platform) return plain;
  return copyResponse(plain, source ? nativeStream(source) : null);
}

function bodyOf(method: string, status: number, headers: Headers, body: ReadableBody): ReadableBody | null {
  if (method === 'HEAD' || NULL_BODY_STATUSES.includes(status)) return null;
  const encoding = headers.get('content-encoding');
  return encoding === null ? body : decoded(body, encoding);
}
