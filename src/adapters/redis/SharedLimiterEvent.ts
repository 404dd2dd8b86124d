/** Tells whether a quota is kept in Redis or, while that is away, by each client for itself. */
export type SharedLimiterEvent =
  | {
      /** Redis failed or was silent: from now on, this client goes by its own part of what was last known. */
      readonly type: 'local';
      readonly origin: string;
      /** Why: what Redis or the connection failed with; `undefined` if it was silent for too long. */
      readonly error: unknown;
      /** Into how many parts the quota is split. */
      readonly clients: number;
    }
  | {
      /** Redis answers again and a new window begins: all share again. */
      readonly type: 'shared';
      readonly origin: string;
    };
