import { isFrom1, type OptionRule } from '../../request/checkOptions.js';
import { UsageError } from '../../request/errors/UsageError.js';

/** Rule of the number of items of a page. */
export const LIMIT: OptionRule = [isFrom1, 'the number of items of a page'];

/**
 * A page that is its bare items as one that has them; `null`, which is what a client makes of a 204, as one without any.
 *
 * @throws UsageError that names `place` for what has no items
 */
export function pageOf<T, P extends { readonly items: readonly T[] }>(
  place: string,
  page: readonly T[] | P | null,
): P | { readonly items: readonly T[] } {
  if (page === null) return { items: [] };
  if (isItems<T>(page)) return { items: page };
  // A server may send anything, and a selector may pick anything.
  if (Array.isArray((page as Partial<P> | undefined)?.items)) return page;
  throw new UsageError(`${place}: a page is neither an array of items nor an object with one in \`items\``);
}

/** True if a page is its bare items; `Array.isArray` forgets about `readonly`. */
export function isItems<T>(page: readonly T[] | object): page is readonly T[] {
  return Array.isArray(page);
}
