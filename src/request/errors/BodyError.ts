import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/** A body that does not parse, is longer than allowed, or cannot be sent as it is. Never retried. */
export class BodyError extends ColdfetchError {
  constructor(message: string, options?: ColdfetchErrorOptions) {
    super('BodyError', message, options);
  }
}

/** Whether `value` is a {@link BodyError}, of whichever copy or realm. */
export function isBodyError(value: unknown): value is BodyError {
  return hasBrand(value, 'BodyError');
}
