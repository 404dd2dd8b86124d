/** How many cursors back a repetition is seen; a longer loop runs into the page cap. It bounds the memory of an endless pagination. */
const REMEMBERED = 1_000;

/**
 * Tells whether a cursor was seen before, among the last 1,000. Cursors compare by value: strings and numbers as they are, anything else by
 * its JSON.
 */
export function cursorGuard(): (cursor: unknown) => boolean {
  const seen = new Set<string>();
  return (cursor) => {
    const key = JSON.stringify(cursor);
    if (seen.has(key)) return true;
    seen.add(key);
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(oldest);
    }
    return false;
  };
}
