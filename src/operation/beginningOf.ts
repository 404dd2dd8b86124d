/** Bytes of a body that a peek shows, or characters of one that is text already. */
export const MOST_BYTES = 4096;

/** Beginning, as text, of a body that a client has read already; '' where there is none, and for what no text can be made of. */
export function beginningOf(body: unknown): string {
  if (body === undefined || body === null) return '';
  try {
    return (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, MOST_BYTES);
  } catch {
    return '';
  }
}
