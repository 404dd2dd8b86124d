import type { HttpEvent, ResponseEvent } from '../../request/HttpEvent.js';
import type { HttpRequest, ResponseType } from '../../request/HttpRequest.js';
import { convertBody } from '../../transport/readBody.js';
import { headersOf } from './cacheFreshness.js';
import type { Arrival } from './CacheFlights.js';
import { cacheStatus, type CacheStatus } from './cacheStatus.js';
import type { StoredAnswer } from './CacheStore.js';

/** A stored answer as the response to a request; with an `age` (in ms), from the store. */
export function respond(request: HttpRequest, answer: StoredAnswer, attempt: number, status: CacheStatus, age?: number): ResponseEvent {
  const headers = headersOf(answer);
  if (age !== undefined) headers.set('age', String(Math.floor(age / 1000)));
  const body = answer.body && bodyAs(request.responseType, answer.body, headers);
  return told({ type: 'response', attempt, status: answer.status, headers, url: answer.url, body }, status);
}

/** What has arrived as the response to a request. */
export function respondWith(request: HttpRequest, { answer, attempt, status, stream }: Arrival): ResponseEvent {
  const response = respond(request, answer, attempt, status);
  return stream ? { ...response, body: stream } : response;
}

function bodyAs(responseType: ResponseType, bytes: Uint8Array, headers: Headers): unknown {
  if (responseType === 'stream') return new Response(bytes).body;
  // Whoever asks for the bytes may write to them.
  return responseType === 'bytes' ? bytes.slice() : convertBody(bytes, responseType, headers);
}

/** Writes into a response how it was answered. */
export function told<E extends HttpEvent>(event: E, status: CacheStatus): E {
  if (event.type !== 'response') return event;
  const member = cacheStatus(status);
  const headers = new Headers(event.headers);
  headers.append('cache-status', member);
  return { ...event, headers, cacheStatus: member };
}
