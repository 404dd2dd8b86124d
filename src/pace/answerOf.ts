import type { HeadersLike } from '../headers/HeadersLike.js';
import { readable } from '../headers/readable.js';
import type { Answer } from './Limiter.js';

/** A value or an error read as an answer, if it looks like one: a number `status` and, where there are any, `headers`. */
export function answerOf(value: unknown): Answer | undefined {
  if (typeof value !== 'object' || value === null || !('status' in value) || typeof value.status !== 'number') return undefined;
  const headers = 'headers' in value && isHeaders(value.headers) ? readable(value.headers) : undefined;
  return { status: value.status, headers, error: value instanceof Error ? value : undefined };
}

function isHeaders(value: unknown): value is HeadersLike {
  return typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function';
}
