/** Whether a page is its bare items; `Array.isArray` forgets about `readonly`. */
export function isItems<T>(page: readonly T[] | object): page is readonly T[] {
  return Array.isArray(page);
}
