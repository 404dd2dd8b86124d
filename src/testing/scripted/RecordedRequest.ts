import { isVirtualResponse } from './VirtualResponse.js';

/** A request as a scripted server saw it. Moments are ms of the virtual clock. */
export interface RecordedRequest {
  /** Moment of the sending. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Body as it was given to `fetch`. */
  readonly body: unknown;
  /** Moment of the response or the failure. */
  readonly answeredAt: number | undefined;
  /** Moment at which the request was given up, by unsubscribing or by its signal: before its response, or while the body was being read. */
  readonly abortedAt: number | undefined;
  /** Response of the server; `cancelledAt` of a reply is the moment at which its body was cancelled. */
  readonly response: (Response & { readonly cancelledAt?: number | undefined }) | undefined;
}

/** The requests to a server or a `fetch`, in their order. */
export interface RequestLog {
  readonly requests: readonly RecordedRequest[];
}

/** True if `value` keeps a log of requests. */
export function isRequestLog(value: unknown): value is RequestLog {
  return (
    (typeof value === 'object' || typeof value === 'function') && value !== null && 'requests' in value && Array.isArray(value.requests)
  );
}

/** Sentence about a request that was answered with a Response of the platform, whose body comes too late for virtual time; undefined if none was. */
export function platformAnswer(requests: readonly RecordedRequest[]): string | undefined {
  const slow = requests.find(({ response }) => response !== undefined && !isVirtualResponse(response) && response.body !== null);
  if (!slow) return undefined;
  const named = `${slow.method} ${slow.url} was answered with a Response of the platform`;
  return `${named}, whose body never comes in virtual time: answer with reply(...)`;
}
