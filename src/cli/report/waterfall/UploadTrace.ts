import type { DoneEvent } from '../../../node/UploadBuildEvent.js';
import type { TimelineRequest } from '../../../timeline/TimelineData.js';

/** Course of an upload as plain data, ready for `JSON.stringify`. All moments are ms from its beginning. */
export interface UploadTrace {
  /** Wall clock at moment 0, in ISO 8601. */
  readonly began: string;
  /** The last moment, or that of reading while the upload goes on. */
  readonly end: number;
  readonly state: UploadState;
  /** Reason for which the upload ended without a summary. */
  readonly failure?: string;
  readonly build?: { readonly id: string; readonly url: string };
  readonly totals: UploadTotals;
  /** Steps of the upload and its files, in the order of their beginnings. */
  readonly rows: readonly UploadRow[];
  /** Times in which a server's quota was used up. */
  readonly quotas: readonly QuotaSpan[];
  /** Moments of 429 responses. */
  readonly throttled: readonly number[];
}

/** State of an upload. `'incomplete'`: some files failed; `'stopped'`: it was stopped, or ended without a summary. */
export type UploadState = 'running' | 'completed' | 'incomplete' | 'stopped';

/** Numbers of an upload so far. */
export interface UploadTotals {
  readonly files: number;
  readonly arrived: number;
  readonly failed: number;
  /** Arrived files that were not sent: the server had them, or they went with another file. */
  readonly unsent: number;
  /** Bytes of the files that arrived, and of those that were sent for them. */
  readonly bytes: number;
  readonly sentBytes: number;
  /** Requests sent, retries included. */
  readonly requests: number;
  /** Milliseconds in which at least one request waited; known at the end. */
  readonly waited?: number;
}

/** One row of the waterfall. */
export interface UploadRow extends TimelineRequest {
  /** Kind of the row. `'step'`: a request of the upload as a whole. */
  readonly kind: 'file' | 'step';
  readonly bytes?: number;
  /** Way in which the file arrived. */
  readonly how?: DoneEvent['how'];
  /** Reason for which it failed, in one line. */
  readonly reason?: string;
}

/** A time in which a host's quota was used up, by the host's own fields. */
export interface QuotaSpan {
  readonly host: string;
  readonly start: number;
  readonly end: number;
}

/** The parts of a trace that have changed since a version of it. */
export interface TraceChanges extends Omit<UploadTrace, 'rows'> {
  readonly version: number;
  /** Changed rows and their places. */
  readonly rows: readonly (readonly [index: number, row: UploadRow])[];
}
