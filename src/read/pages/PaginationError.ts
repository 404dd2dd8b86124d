import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from '../../request/errors/ColdfetchError.js';

/**
 * The pages of an API do not end as they should: there are too many, a cursor comes again, a link leaves the origin. `paginationReport`
 * gives the progress until then.
 */
export class PaginationError extends ColdfetchError {
  constructor(message: string, options?: ColdfetchErrorOptions) {
    super('PaginationError', message, options);
  }
}

/** True if `value` is a {@link PaginationError}, of whichever copy or realm. */
export function isPaginationError(value: unknown): value is PaginationError {
  return hasBrand(value, 'PaginationError');
}
