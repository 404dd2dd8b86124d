import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/** An attempt made no progress for its timeout: no response, no byte up or down. Retried as a transient failure. */
export class TimeoutError extends ColdfetchError {
  constructor(
    message: string,
    /** The time without progress, in ms. */
    readonly timeout: number,
    options?: ColdfetchErrorOptions,
  ) {
    super('TimeoutError', message, options);
  }
}

/** True if `value` is a {@link TimeoutError}, of whichever copy or realm. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return hasBrand(value, 'TimeoutError');
}
