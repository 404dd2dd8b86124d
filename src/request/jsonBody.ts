import { UsageError } from './errors/UsageError.js';
import { type FetchBody, isAsyncIterable, isStreamBody, type RequestBody } from './RequestBody.js';

/** What a client sends: what `fetch` takes, a body function, or anything else as JSON. */
export type ClientBody = RequestBody | object | number | boolean | null | undefined;

/** A body as it is sent, and its media type if that is ours to say. */
export interface EncodedBody {
  readonly body: RequestBody | undefined;
  readonly type?: string;
}

/**
 * A client's body in the form that is sent: what is no body of `fetch` becomes JSON; `null` and `undefined` are none.
 *
 * @throws UsageError for what is no JSON (cycles, bigints)
 */
export function jsonBody(body: ClientBody): EncodedBody {
  if (body === null || body === undefined) return { body: undefined };
  if (typeof body === 'function' || isStreamBody(body) || isFetchBody(body)) return { body: body as RequestBody };
  let json: unknown;
  try {
    json = JSON.stringify(body);
  } catch (cause) {
    throw new UsageError('The body cannot be sent as JSON: it holds a cycle or a bigint; send what JSON.stringify takes', { cause });
  }
  if (typeof json !== 'string') throw new UsageError(`The body cannot be sent as JSON: it is a ${typeof body}`);
  return { body: json, type: 'application/json' };
}

function isFetchBody(body: unknown): body is FetchBody {
  return (
    typeof body === 'string' ||
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof ReadableStream ||
    isAsyncIterable(body)
  );
}
