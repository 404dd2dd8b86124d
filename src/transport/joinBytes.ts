/** The first `length` bytes of `chunks` as one array; a single chunk that fits, and that has its buffer for itself, is not copied. */
export function joinBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first?.byteLength === length && first.buffer.byteLength === length) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, length - at), at);
    at += chunk.byteLength;
  }
  return bytes;
}
