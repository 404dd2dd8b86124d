/** Change in the keeping of a quota: in Redis or, while that is away, by each client for itself. */
export type SharedLimiterEvent =
  | {
      /** Redis failed or was silent: from now on, this client goes by its own part of the last known state. */
      readonly type: 'local';
      readonly origin: string;
      /** The failure of Redis or the connection; `undefined` if Redis was silent for too long. */
      readonly error: unknown;
      /** Number of parts into which the quota is split. */
      readonly clients: number;
    }
  | {
      /** Redis answers again and a new window begins: all clients share again. */
      readonly type: 'shared';
      readonly origin: string;
    };
