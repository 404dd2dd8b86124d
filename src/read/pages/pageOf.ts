import { isFrom1, type OptionRule } from '../../request/checkOptions.js';
import { UsageError } from '../../request/errors/UsageError.js';

/** Rule of the number of items of a page. */
export const LIMIT: OptionRule = [isFrom1, 'the number of items of a page'];

/**
 * A page in the form with `items`: bare items are wrapped, and `null`, which a client gives for a 204, is a page without items.
 *
 * @throws UsageError that names `place` for what has no items
 */
export function pageOf<T, P extends { readonly items: readonly T[] }>(
  place: string,
  page: readonly T[] | P | null,
): P | { readonly items: readonly T[] } {
  if (page === null) return { items: [] };
  if (isItems<T>(page)) return { items: page };
  // A server may send any value, and a selector may pick any.
  if (Array.isArray((page as Partial<P> | undefined)?.items)) return page;
  throw new UsageError(`${place}: a page is neither an array of items nor an object with one in \`items\``);
}

/** True if a page is its bare items; the type of `Array.isArray` drops `readonly`. */
export function isItems<T>(page: readonly T[] | object): page is readonly T[] {
  return Array.isArray(page);
}
