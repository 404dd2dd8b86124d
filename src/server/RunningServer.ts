import type { StoredBuild } from './api/StoredBuild.js';
import type { RequestCounts, RequestRecord } from './express/RequestLog.js';

/** A server that listens. */
export interface RunningServer {
  /** Base URL of the server: `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** Base URL of the API: `http://127.0.0.1:PORT/v2/`. */
  readonly apiUrl: string;
  readonly port: number;
  /** Folder of the files (`files/KEY`) and builds (`builds/ID.json`). */
  readonly folder: string;
  /** The last 2,000 requests, oldest first: a copy. */
  readonly requests: readonly RequestRecord[];
  /** Counts of all requests since the start: a copy. */
  readonly counts: RequestCounts;
  /** The builds made so far, oldest first: a copy. */
  readonly builds: readonly StoredBuild[];
  /**
   * Stops the server: closes the port and every connection (idle ones, and those of unanswered requests), waits for files being written,
   * and removes the folder if it was a temporary one. May be called again; every call waits for the same end.
   */
  close(): Promise<void>;
}
