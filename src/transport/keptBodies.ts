/** Kept bodies, by Response: they are read at once, in virtual time too. */
const kept = new WeakMap<object, Uint8Array>();

/** Keeps the bytes of a response's body in its place. */
export function keep(response: object, bytes: Uint8Array): void {
  kept.set(response, bytes);
}

/** True if bytes are kept in place of a response's body. */
export function isKept(response: object): boolean {
  return kept.has(response);
}

/** The bytes that were kept in place of a response's body, unless they have been read since. */
export function takeKept(response: object): Uint8Array | undefined {
  const bytes = kept.get(response);
  kept.delete(response);
  return bytes;
}
