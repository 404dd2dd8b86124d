import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/** What was asked for cannot be done: a bad URL, a header that is none, a GET with a body, nonsense in a policy. Nothing was sent. */
export class UsageError extends ColdfetchError {
  constructor(message: string, options?: ColdfetchErrorOptions) {
    super('UsageError', message, options);
  }
}

/** Whether `value` is a {@link UsageError}, of whichever copy or realm. */
export function isUsageError(value: unknown): value is UsageError {
  return hasBrand(value, 'UsageError');
}
