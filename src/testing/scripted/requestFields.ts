import { UsageError } from '../../request/errors/UsageError.js';
import type { RecordedRequest } from './RecordedRequest.js';

/** The fields of a request that a spec may look at; each may be an asymmetric matcher. */
export interface RequestFields {
  readonly method?: unknown;
  readonly url?: unknown;
  /** Path and query of the URL. */
  readonly path?: unknown;
  /** Header fields that the request must have, others are ignored; `null`: a field that it must not have. */
  readonly headers?: unknown;
  /** Body as it was given to `fetch`. Blobs and streams cannot be read at once: such a body is equal only to itself. */
  readonly body?: unknown;
  /** The body as text, where it is text, bytes, or `URLSearchParams`; else undefined. */
  readonly text?: unknown;
  /** Body as parsed JSON; the text itself where it is not JSON. */
  readonly json?: unknown;
  /** Moment of the sending, in ms. */
  readonly at?: unknown;
  /** Moment of the response, in ms; undefined: there was none. */
  readonly answeredAt?: unknown;
  /** Moment at which the request was given up, in ms; undefined: it was not. */
  readonly abortedAt?: unknown;
  /** Moment at which the body of its response was cancelled, in ms; undefined: it was not. */
  readonly cancelledAt?: unknown;
}

/** Meaning of a letter of a request diagram: `'GET /users'`, or the fields that count. */
export type RequestValues = Readonly<Record<string, string | RequestFields>>;

/** The fields of {@link RequestFields}. */
const FIELDS = {
  method: ({ method }) => method,
  url: ({ url }) => url,
  path: ({ url }) => pathOf(url),
  headers: ({ headers }, expected) => reduceHeaders(headers, expected),
  body: ({ body }) => body,
  text: ({ body }) => textOf(body),
  json: ({ body }) => parsed(textOf(body)),
  at: ({ at }) => at,
  answeredAt: ({ answeredAt }) => answeredAt,
  abortedAt: ({ abortedAt }) => abortedAt,
  cancelledAt: ({ response }) => response?.cancelledAt,
} satisfies Record<keyof RequestFields, (request: RecordedRequest, expected: unknown) => unknown>;

/**
 * Refuses a field that no request has: an expected `undefined` would be equal to it.
 *
 * @param letter the letter that stands for `expected`
 */
export function refuseUnknownFields(letter: string, expected: unknown): void {
  if (!hasFields(expected)) return;
  const unknown = Object.keys(expected).find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown === undefined) return;
  throw new UsageError(`toHaveRequests: '${letter}' expects '${unknown}' of a request, which has ${Object.keys(FIELDS).join(', ')}`);
}

/** A request reduced to the shape of the expected one: to a line, or to some of its fields. */
export function reduceRequest(request: RecordedRequest, expected: unknown): unknown {
  if (typeof expected === 'string' && expected.includes('://')) return `${request.method} ${request.url}`;
  if (!hasFields(expected)) return `${request.method} ${pathOf(request.url)}`;
  return Object.fromEntries(Object.entries(expected).map(([name, field]) => [name, FIELDS[name as keyof RequestFields](request, field)]));
}

function hasFields(expected: unknown): expected is RequestFields {
  return typeof expected === 'object' && expected !== null && !('asymmetricMatch' in expected);
}

function reduceHeaders(headers: Headers, expected: unknown): unknown {
  if (expected instanceof Headers) return new Headers([...headers].filter(([name]) => expected.has(name)));
  if (!hasFields(expected)) return Object.fromEntries(headers.entries());
  return Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  if (ArrayBuffer.isView(body)) return decoded(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  return body instanceof ArrayBuffer ? decoded(new Uint8Array(body)) : undefined;
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
