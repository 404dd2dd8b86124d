import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from '../../request/errors/ColdfetchError.js';

/** Progress of a stream. */
export interface StreamProgress {
  /** Number of lines or events that were passed on. */
  readonly received: number;
  /** Decoded bytes up to the end of the last complete line; of a line-based stream only. */
  readonly bytes?: number;
  /** Id of the last event, where the server gave one. */
  readonly lastEventId?: string;
}

/**
 * A stream broke off after some of it had been passed on, so that starting it again would repeat that part. `cause` is the failure,
 * `progress` the place to go on from.
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
