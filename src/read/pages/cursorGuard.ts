/** How many cursors back a repetition is seen; a longer loop runs into the page cap. It bounds the memory of an endless pagination. */
const REMEMBERED = 1_000;

/**
 * Tells whether a cursor was seen before, among the last 1,000. Cursors compare by what {@link cursorText} says; those of which it says nothing
 * are the same only if they are the very same object.
 */
export function cursorGuard(): (cursor: unknown) => boolean {
  const seen = new Set<unknown>();
  return (cursor) => {
    const key = cursorText(cursor) ?? cursor;
    if (seen.has(key)) return true;
    seen.add(key);
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(oldest);
    }
    return false;
  };
}

/**
 * A cursor as text, equal for equal cursors: JSON, with bigints (`1n`) and URLSearchParams. Undefined for what JSON cannot tell: a Map, a
 * circle.
 */
export function cursorText(cursor: unknown): string | undefined {
  try {
    return JSON.stringify(cursor, told);
  } catch {
    return undefined;
  }
}

function told(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlain(value)) return value;
  if (value instanceof URLSearchParams) return value.toString();
  throw new TypeError('JSON tells nothing of it');
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
