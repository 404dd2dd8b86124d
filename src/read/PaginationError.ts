import { ColdfetchError, type ColdfetchErrorOptions, hasBrand } from '../request/errors/ColdfetchError.js';
import type { PaginationReport } from './paginationReport.js';

/** The pages of an API do not end as they should: too many, a cursor that comes again, a link that leaves the origin. */
export class PaginationError extends ColdfetchError {
  constructor(
    message: string,
    /** How far it got, and the cursor to resume from. */
    readonly report: PaginationReport,
    options?: ColdfetchErrorOptions,
  ) {
    super('PaginationError', message, options);
  }
}

/** Whether `value` is a {@link PaginationError}, of whichever copy or realm. */
export function isPaginationError(value: unknown): value is PaginationError {
  return hasBrand(value, 'PaginationError');
}
