import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/** A limiter refused: its queue is full, or what is asked for is more than it ever grants. */
export class LimiterError extends ColdfetchError {
  constructor(message: string, options?: ColdfetchErrorOptions) {
    super('LimiterError', message, options);
  }
}

/** Whether `value` is a {@link LimiterError}, of whichever copy or realm. */
export function isLimiterError(value: unknown): value is LimiterError {
  return hasBrand(value, 'LimiterError');
}
