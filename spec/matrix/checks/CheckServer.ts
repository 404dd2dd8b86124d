/** One answer of the server of the checks; the last of a list is given again and again. */
export interface Step {
  /** 200 unless set. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  /** Pieces of the body, 30 ms apart. */
  readonly chunks?: readonly string[];
  /** Milliseconds before it is given. */
  readonly after?: number;
  /** Break of the connection: before any byte of the answer, or behind its body. */
  readonly reset?: 'before' | 'behind';
  /** Something that never comes: the answer, or the end of its body. */
  readonly missing?: 'answer' | 'end';
  /** Bytes of the request that are read in a second; as many as come unless set. */
  readonly readRate?: number;
  /** True if pages of other origins may read it; `true` unless set. */
  readonly cors?: boolean;
}

/** A request as the server of the checks saw it. */
export interface Received {
  readonly method: string;
  /** Path behind that of the check, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Bytes of its body. */
  readonly bytes: number;
  /** The beginning of its body. */
  readonly text: string;
  /** Milliseconds since the first request of the check. */
  readonly at: number;
  /** True if the client went away before the answer was over. */
  readonly abandoned: boolean;
}

/** All that the server of the checks saw of one check. */
export interface ServerLog {
  readonly requests: readonly Received[];
  /** The largest number of requests that were there at the same time. */
  readonly most: number;
}
