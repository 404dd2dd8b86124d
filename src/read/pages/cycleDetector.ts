/** Number of cursors that are remembered, which bounds the memory of an endless pagination. A longer loop runs into the page cap. */
const REMEMBERED = 1_000;

/**
 * Detects a cursor that was seen before, among the last 1,000. Cursors compare by their {@link cursorText}; cursors without one are equal only
 * to themselves.
 */
export function cycleDetector(): (cursor: unknown) => boolean {
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
 * A cursor as text, equal for equal cursors: JSON, with bigints (`1n`) and URLSearchParams. Undefined for values that JSON loses: a Map, a
 * circular object.
 */
export function cursorText(cursor: unknown): string | undefined {
  try {
    return JSON.stringify(cursor, jsonValue);
  } catch {
    return undefined;
  }
}

function jsonValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlain(value)) return value;
  if (value instanceof URLSearchParams) return value.toString();
  throw new TypeError('JSON cannot represent this cursor');
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
