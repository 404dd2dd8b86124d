import type { StoredBuild } from './api/StoredBuild.js';
import type { RequestCounts, RequestRecord } from './express/RequestLog.js';

/** A server that listens. */
export interface RunningServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** Base URL of the API: `http://127.0.0.1:PORT/v2/`. */
  readonly apiUrl: string;
  readonly port: number;
  /** Folder of the files (`files/KEY`) and builds (`builds/ID.json`). */
  readonly folder: string;
  /** The last 2,000 requests, oldest first: a copy. */
  readonly requests: readonly RequestRecord[];
  /** All requests since the start, counted: a copy. */
  readonly counts: RequestCounts;
  /** The builds made so far, oldest first: a copy. */
  readonly builds: readonly StoredBuild[];
  /**
   * Stops: closes the port and every connection (idle ones, and those of requests without an answer yet), waits for files being written,
   * and removes the folder if it was a temporary one. May be called again; every call waits for the same end.
   */
  close(): Promise<void>;
}
