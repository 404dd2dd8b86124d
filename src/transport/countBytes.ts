/** A stream's bytes unchanged; `progress` hears how many have passed so far. It stops reading its source when `signal` aborts. */
export function countBytes(
  stream: ReadableStream<Uint8Array>,
  progress: (loaded: number) => void,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  let loaded = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      progress(loaded);
      controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(counter, signal ? { signal } : {});
}
