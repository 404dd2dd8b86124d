import type { HeadersLike } from '../headers/HeadersLike.js';
import { readable } from '../headers/fields.js';

/** Status and header fields of a response, in whichever form a client packs them. */
export interface FoundResponse {
  /** Status of the response; 0: none arrived. */
  readonly status: number;
  readonly headers: HeadersLike;
}

/**
 * The response in a value or an error: the value itself (a Response, `HttpError`, Angular's `HttpErrorResponse`), its `response` (axios),
 * or its `xhr` (RxJS's `ajax`).
 */
export function responseIn(value: unknown): FoundResponse | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { response, xhr } = value as { readonly response?: unknown; readonly xhr?: unknown };
  const found = ([value, response] as unknown[]).find(isAnswer);
  if (found) return { status: found.status, headers: readable(found.headers) };
  return isXhr(xhr) ? { status: xhr.status, headers: { get: (name) => xhr.getResponseHeader(name) } } : undefined;
}

function isAnswer(value: unknown): value is FoundResponse {
  const { status, headers } = (value ?? {}) as Partial<Record<keyof FoundResponse, { get?: unknown } | number>>;
  return typeof status === 'number' && typeof headers === 'object' && typeof headers.get === 'function';
}

function isXhr(value: unknown): value is { status: number; getResponseHeader(name: string): string | null } {
  const { status, getResponseHeader } = (value ?? {}) as Record<string, unknown>;
  return typeof status === 'number' && typeof getResponseHeader === 'function';
}
