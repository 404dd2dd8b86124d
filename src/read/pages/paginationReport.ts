import { isObject } from '../../request/guards.js';

/** Progress of a pagination. */
export interface PaginationReport {
  /** Cursor of the page to resume from (`paginate`'s `from`); undefined: from the beginning. */
  readonly cursor: unknown;
  /** Number of pages that were passed on whole. */
  readonly pages: number;
  /** Number of items that were passed on; those of `cursor`'s page among them come again. */
  readonly items: number;
}

const reports = new WeakMap<object, PaginationReport>();

/**
 * Progress of `paginate` or `linkPages` when `error` ended it. The error itself goes through as it was, so that guards and retry reports
 * work on it.
 *
 * Undefined for errors from elsewhere, and for primitives.
 *
 * @example
 * catchError((error) => {
 *   save(paginationReport(error)?.cursor); // next time: paginate(fetchPage, { from: saved })
 *   throw error;
 * });
 */
export function paginationReport(error: unknown): PaginationReport | undefined {
  return isObject(error) ? reports.get(error) : undefined;
}

/** Files a report under an error. */
export function filePaginationReport(error: unknown, report: PaginationReport): void {
  if (isObject(error)) reports.set(error, report);
}
