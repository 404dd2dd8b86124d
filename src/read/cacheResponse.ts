import type { HttpEvent, ResponseEvent } from '../request/HttpEvent.js';
import type { HttpRequest } from '../request/HttpRequest.js';
import { convertBody } from '../transport/readBody.js';
import { headersOf } from './cacheFreshness.js';
import { cacheStatus, type CacheStatus } from './cacheStatus.js';
import type { StoredAnswer } from './CacheStore.js';

/** A stored answer as the response to a request; with an `age` (in ms), from the store. */
export function respond(request: HttpRequest, answer: StoredAnswer, attempt: number, status: CacheStatus, age?: number): ResponseEvent {
  const headers = headersOf(answer);
  if (age !== undefined) headers.set('age', String(Math.floor(age / 1000)));
  const { responseType } = request;
  // Whoever asks for the bytes may write to them.
  const bytes = responseType === 'bytes' ? answer.body?.slice() : answer.body;
  const body = bytes ? convertBody(bytes, responseType, headers) : null;
  return told({ type: 'response', attempt, status: answer.status, headers, url: answer.url, body }, status);
}

/** Writes into a response how it was answered. */
export function told<E extends HttpEvent>(event: E, status: CacheStatus): E {
  if (event.type !== 'response') return event;
  const member = cacheStatus(status);
  const headers = new Headers(event.headers);
  headers.append('cache-status', member);
  return { ...event, headers, cacheStatus: member };
}
