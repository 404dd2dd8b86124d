import type { HttpEvent } from '../../request/HttpEvent.js';
import type { RequestSummary } from '../../request/RequestSummary.js';

/** An event of one of a client's requests. */
export interface ClientEvent {
  /** The request; printed, it shows neither query nor credentials. */
  readonly request: RequestSummary;
  readonly event: HttpEvent | RequestFailedEvent;
}

/** The end of a request that has failed for good: its retries, if any, are used up. */
export interface RequestFailedEvent {
  readonly type: 'failed';
  readonly error: unknown;
}
