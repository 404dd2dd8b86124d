import { joinBytes } from '../../transport/joinBytes.js';

/**
 * A stream that passes on as it is; when it has ended well, `keep` gets all its bytes. Of one that fails, is left, or grows beyond `maxBytes`
 * nothing is kept.
 */
export function keepStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  keep: (bytes: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        length += chunk.byteLength;
        if (length > maxBytes) chunks = [];
        // The reader may write to what it is given.
        else chunks.push(chunk.slice());
        controller.enqueue(chunk);
      },
      flush: () => {
        if (length <= maxBytes) keep(joinBytes(chunks, length));
      },
    }),
  );
}
