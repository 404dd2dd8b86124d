import { ColdfetchError, type ColdfetchErrorOptions, hasBrand, hidden } from './ColdfetchError.js';

/** Options of a {@link UsageError}. */
export interface UsageErrorOptions extends ColdfetchErrorOptions {
  /** Code of Node's `fetch` for the same mistake. */
  readonly code?: string | undefined;
}

/** Misuse that was found before anything was sent: a bad URL, a malformed header, a GET with a body, nonsense in a policy. */
export class UsageError extends ColdfetchError {
  /** Code of Node's `fetch` for the same mistake, where there is one: `UND_ERR_INVALID_ARG`, `ERR_INVALID_URL`. Not enumerable. */
  declare readonly code?: string;

  constructor(message: string, options: UsageErrorOptions = {}) {
    super('UsageError', message, options);
    if (options.code !== undefined) hidden(this, 'code', options.code);
  }
}

/** True if `value` is a {@link UsageError}, of whichever copy or realm. */
export function isUsageError(value: unknown): value is UsageError {
  return hasBrand(value, 'UsageError');
}
