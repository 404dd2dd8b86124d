import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from './ColdfetchError.js';

/** No answer arrived, or it broke off: the connection failed, was reset or closed, or what came was not HTTP. */
export class NetworkError extends ColdfetchError {
  constructor(
    message: string,
    /** The cause's code where it has one: `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`, ... */
    readonly code: string | undefined,
    options?: ColdfetchErrorOptions,
  ) {
    super('NetworkError', message, options);
  }
}

/** Whether `value` is a {@link NetworkError}, of whichever copy or realm. */
export function isNetworkError(value: unknown): value is NetworkError {
  return hasBrand(value, 'NetworkError');
}
