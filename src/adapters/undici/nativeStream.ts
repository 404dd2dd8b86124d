import type { BodyReader, ReadableBody } from '../../transport/readAll.js';

/** Ends the request whose response nobody holds any more, as `fetch` does: its connection is needed. */
const forgotten = new FinalizationRegistry<BodyReader>((reader) => {
  reader.cancel().then(undefined, () => undefined);
});

/**
 * A body as a stream of the platform, read only while a read of its own is pending. It is a byte stream, like that of `fetch`; its chunks
 * belong to the reader.
 */
export function nativeStream(body: ReadableBody): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let isCancelled = false;
  const source: UnderlyingByteSource = {
    type: 'bytes',
    pull: (controller) =>
      new Promise((resolve) => {
        reader.read().then(
          ({ done, value }) => {
            if (isCancelled) return;
            if (!done) {
              controller.enqueue(new Uint8Array(value));
            } else {
              controller.close();
              controller.byobRequest?.respond(0);
            }
            resolve();
          },
          (error) => {
            controller.error(error);
            resolve();
          },
        );
      }),
    cancel: async (reason) => {
      isCancelled = true;
      await reader.cancel(reason);
    },
  };
  const stream = new ReadableStream(source, { highWaterMark: 0 });
  forgotten.register(stream, reader);
  return stream;
}

interface UnderlyingByteSource {
  readonly type: 'bytes';
  readonly pull: (controller: ReadableByteStreamController) => Promise<void>;
  readonly cancel: (reason: unknown) => Promise<void>;
}
