import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/** The operation's deadline passed, or the time left until it cannot be enough; `cause` is the last failure, if there was one. */
export class DeadlineError extends ColdfetchError {
  constructor(message: string, options?: ColdfetchErrorOptions) {
    super('DeadlineError', message, options);
  }
}

/** True if `value` is a {@link DeadlineError}, of whichever copy or realm. */
export function isDeadlineError(value: unknown): value is DeadlineError {
  return hasBrand(value, 'DeadlineError');
}
