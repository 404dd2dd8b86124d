import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';
import type { HttpRequest, ResponseType } from '../../request/HttpRequest.js';
import { convertBody } from '../../transport/convertBody.js';
import { headersOf } from './storedResponse.js';
import { cacheStatus, type CacheStatus } from './cacheStatus.js';
import type { StoredResponse } from './CacheStore.js';
import type { OriginAnswer } from './InFlightRequests.js';

/** A response made for a request; a stored one has an `age`, in ms. */
export function respond(request: HttpRequest, answer: StoredResponse, attempt: number, status: CacheStatus, age?: number): ResponseEvent {
  const headers = headersOf(answer);
  if (age !== undefined) headers.set('age', String(Math.floor(age / 1000)));
  const body = answer.body && bodyAs(request.responseType, answer.body, headers);
  return withCacheStatus({ type: 'response', attempt, status: answer.status, headers, url: answer.url, body }, status);
}

/** The origin's answer as the response to a request. */
export function respondWith(request: HttpRequest, { answer, attempt, status, stream }: OriginAnswer): ResponseEvent {
  const response = respond(request, answer, attempt, status);
  return stream ? { ...response, body: stream } : response;
}

function bodyAs(responseType: ResponseType, bytes: Uint8Array, headers: Headers): unknown {
  if (responseType === 'stream') return new Response(bytes).body;
  // Bytes are copied: the subscriber may write to them.
  return responseType === 'bytes' ? bytes.slice() : convertBody(bytes, responseType, headers);
}

/** The same response with its cache status, also in its header fields. */
export function withCacheStatus<E extends HttpEvent>(event: E, status: CacheStatus): E {
  if (event.type !== 'response') return event;
  const member = cacheStatus(status);
  const headers = new Headers(event.headers);
  headers.append('cache-status', member);
  return { ...event, headers, cacheStatus: member };
}
