import { of } from 'rxjs';
import type { HttpRequest } from '../request/HttpRequest.js';
import type { HeadersInit } from '../request/toHeaders.js';
import { type MaybeAsync, whenKnown } from '../request/MaybeAsync.js';
import { immutableHeaders, toHeaders } from '../request/toHeaders.js';

/** Header fields; `null` removes one that would be sent otherwise, and `undefined` leaves it out. */
export type RequestHeaders = Headers | Readonly<Record<string, string | null | undefined>> | readonly (readonly [string, string | null])[];

/** Header fields that are made for each attempt: from a token that changes, for example. */
export type HeadersFunction = (request: HttpRequest) => MaybeAsync<RequestHeaders>;

/** Names and values of header fields, without those that are undefined. */
function pairsOf(headers: RequestHeaders): [string, string | null][] {
  const pairs = (Symbol.iterator in headers ? [...headers] : Object.entries(headers)) as [string, string | null | undefined][];
  return pairs.filter((pair): pair is [string, string | null] => pair[1] !== undefined);
}

/** Header fields as they are sent, and the names of removed ones. */
export interface SplitHeaders {
  readonly fields: Headers;
  readonly removed: readonly string[];
}

/**
 * Separates the header fields that are set from those that are removed.
 *
 * @param place says where they were given, for the message
 * @throws UsageError for what cannot be sent
 */
export function splitHeaders(headers: RequestHeaders, place: () => string): SplitHeaders {
  const pairs = pairsOf(headers);
  const set = pairs.filter(([, value]) => value !== null) as HeadersInit;
  return {
    fields: immutableHeaders(toHeaders(set, place)),
    removed: pairs.filter(([, value]) => value === null).map(([name]) => name.toLowerCase()),
  };
}

type HeadersOption = RequestHeaders | HeadersFunction | undefined;

/** Header fields of a client and of its extension, the extension's on top. */
export function joinHeaders(base: HeadersOption, extension: HeadersOption): HeadersOption {
  if (base === undefined || extension === undefined) return extension ?? base;
  if (typeof base !== 'function' && typeof extension !== 'function') return onTop(base, extension);
  const made = (headers: RequestHeaders | HeadersFunction, request: HttpRequest): MaybeAsync<RequestHeaders> =>
    typeof headers === 'function' ? headers(request) : headers;
  return (request) =>
    whenKnown(made(base, request), 'headers', (below) =>
      whenKnown(made(extension, request), 'headers', (above) => of(onTop(below, above))),
    );
}

function onTop(below: RequestHeaders, above: RequestHeaders): RequestHeaders {
  const names = new Set(pairsOf(above).map(([name]) => name.toLowerCase()));
  return [...pairsOf(below).filter(([name]) => !names.has(name.toLowerCase())), ...pairsOf(above)];
}
