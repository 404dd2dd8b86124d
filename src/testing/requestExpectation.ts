import { UsageError } from '../request/errors/UsageError.js';
import type { Moment } from './Moment.js';
import { parseMarbles } from './parseMarbles.js';
import { valueOf } from './playMarbles.js';
import { isRequestLog, type RecordedRequest } from './RecordedRequest.js';

/** The fields of a request that a spec may look at. */
export interface RequestFields {
  readonly method?: unknown;
  readonly url?: unknown;
  /** Path and query of the URL. */
  readonly path?: unknown;
  /** Header fields that have to be there; more may be. `null`: it may not be there. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The body, parsed. */
  readonly json?: unknown;
  /** When it was given up, in ms; undefined: it was not. */
  readonly abortedAt?: unknown;
}

/** What a letter of a request diagram stands for: `'GET /users'`, or the fields that count. */
export type RequestValues = Readonly<Record<string, string | RequestFields>>;

/** Any request: what a letter without a value stands for. */
const ANY = { method: { asymmetricMatch: () => true, toString: () => 'anything' } };

/** The requests that a diagram says are sent. */
export function expectedRequests(marbles: string, values: RequestValues | undefined): Moment[] {
  const missing = (key: string): UsageError => new UsageError(`toHaveRequests: '${marbles}' has a '${key}' that its values lack`);
  return parseMarbles(marbles).map(({ frame, key }) => {
    if (key === '|' || key === '#')
      throw new UsageError(`toHaveRequests: '${marbles}' ends with '${key}', but a list of requests has no end`);
    return { frame, kind: 'next', value: values ? valueOf(values, key, missing) : ANY };
  });
}

/** The requests that were sent, each reduced to what is expected of the one in its place. */
export function receivedRequests(subject: unknown, expected: readonly Moment[]): () => Moment[] {
  if (!isRequestLog(subject))
    throw new UsageError('toHaveRequests needs a server or a scripted fetch: expect$(server).toHaveRequests(...)');
  return () =>
    subject.requests.map((request, index) => {
      const counterpart = expected[index];
      return { frame: request.at, kind: 'next', value: reduce(request, counterpart?.kind === 'next' ? counterpart.value : undefined) };
    });
}

function reduce(request: RecordedRequest, expected: unknown): unknown {
  if (typeof expected === 'string' && expected.includes('://')) return `${request.method} ${request.url}`;
  if (typeof expected !== 'object' || expected === null) return `${request.method} ${pathOf(request.url)}`;
  const view: Record<string, unknown> = { ...request, path: pathOf(request.url) };
  return Object.fromEntries(
    Object.entries(expected).map(([name, field]) => {
      if (name === 'headers') return [name, reduceHeaders(request.headers, field as object)];
      return [name, name === 'json' ? parseJson(request.body) : view[name]];
    }),
  );
}

function reduceHeaders(headers: Headers, expected: object): unknown {
  return 'asymmetricMatch' in expected
    ? Object.fromEntries(headers.entries())
    : Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]));
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function parseJson(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : body;
  } catch {
    return body;
  }
}
