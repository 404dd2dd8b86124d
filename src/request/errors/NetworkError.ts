import { ColdfetchError, type ColdfetchErrorOptions, hasBrand, hidden } from './ColdfetchError.js';

/** Options of a {@link NetworkError}. */
export interface NetworkErrorOptions extends ColdfetchErrorOptions {
  /** True if it is certain that nothing of the request was sent; `false` by default. */
  readonly unsent?: boolean | undefined;
}

/** The connection failed, was reset or closed before the end of a response, or the bytes that came were not HTTP. */
export class NetworkError extends ColdfetchError {
  /**
   * True if it is certain that nothing of the request was sent to anybody: no connection was made, and no redirect was followed before.
   * Such a request may be made again whatever its method. Not enumerable.
   */
  declare readonly unsent: boolean;

  constructor(
    message: string,
    /** The cause's code where it has one: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`, ... */
    readonly code: string | undefined,
    options: NetworkErrorOptions = {},
  ) {
    super('NetworkError', message, options);
    hidden(this, 'unsent', options.unsent ?? false);
  }
}

/** True if `value` is a {@link NetworkError}, of whichever copy or realm; so is the TypeError that `asFetch` rejects with. */
export function isNetworkError(value: unknown): value is NetworkError {
  return hasBrand(value, 'NetworkError');
}
