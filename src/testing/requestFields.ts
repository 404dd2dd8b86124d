import type { RecordedRequest } from './RecordedRequest.js';

/** The fields of a request that a spec may look at; each may be an asymmetric matcher. */
export interface RequestFields {
  readonly method?: unknown;
  readonly url?: unknown;
  /** Path and query of the URL. */
  readonly path?: unknown;
  /** Header fields that have to be there, more may be; `null`: it may not be there. */
  readonly headers?: unknown;
  /** What `fetch` was given as its body. */
  readonly body?: unknown;
  /** The body, parsed. */
  readonly json?: unknown;
  /** When it was answered, in ms; undefined: it was not. */
  readonly answeredAt?: unknown;
  /** When it was given up, in ms; undefined: it was not. */
  readonly abortedAt?: unknown;
  /** When the body of its answer was cancelled, in ms; undefined: it was not. */
  readonly cancelledAt?: unknown;
}

/** What a letter of a request diagram stands for: `'GET /users'`, or the fields that count. */
export type RequestValues = Readonly<Record<string, string | RequestFields>>;

/** A request reduced to the shape of what is expected in its place: to a line, or to some of its fields. */
export function reduceRequest(request: RecordedRequest, expected: unknown): unknown {
  if (typeof expected === 'string' && expected.includes('://')) return `${request.method} ${request.url}`;
  if (typeof expected !== 'object' || expected === null || 'asymmetricMatch' in expected) return `${request.method} ${pathOf(request.url)}`;
  const fields: Record<string, unknown> = {
    ...request,
    path: pathOf(request.url),
    json: parsed(request.body),
    cancelledAt: request.response?.cancelledAt,
  };
  return Object.fromEntries(
    Object.entries(expected).map(([name, field]) => [name, name === 'headers' ? reduceHeaders(request.headers, field) : fields[name]]),
  );
}

function reduceHeaders(headers: Headers, expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null || 'asymmetricMatch' in expected) return Object.fromEntries(headers.entries());
  return Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function parsed(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : body;
  } catch {
    return body;
  }
}
