import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from '../../request/errors/ColdfetchError.js';

/** How far a stream had got. */
export interface StreamProgress {
  /** Lines or events that were passed on. */
  readonly received: number;
  /** Decoded bytes up to the end of the last complete line; of a line-based stream only. */
  readonly bytes?: number;
  /** The id of the last event, where the server gave one. */
  readonly lastEventId?: string;
}

/**
 * A stream broke off after some of it had been passed on, so that it cannot be started again without repeating that. `cause` is the
 * failure, `progress` says where to go on.
 */
export class StreamError extends ColdfetchError {
  constructor(
    message: string,
    readonly progress: StreamProgress,
    options?: ColdfetchErrorOptions,
  ) {
    super('StreamError', message, options);
  }
}

/** True if `value` is a {@link StreamError}, of whichever copy or realm. */
export function isStreamError(value: unknown): value is StreamError {
  return hasBrand(value, 'StreamError');
}
