import type { ResponseType } from '../request/HttpRequest.js';
import { countBytes } from './countBytes.js';
import { drain } from './drain.js';
import { convertBody } from './readBody.js';

/**
 * Lets `touch` know when bytes of an answer's body arrive, however the receiver reads it. The Response stays the same object: its `body` and
 * the methods that read it are overlaid. Of a virtual body the reads are watched instead: they settle in virtual time, streams and promises
 * do not.
 */
export function watchDownload(response: Response, touch: () => void): Response {
  const { body, headers } = response;
  if (!body) return response;
  if (!(body instanceof ReadableStream)) {
    watchReads(body, touch);
    return response;
  }
  let watched: ReadableStream<Uint8Array> | undefined;
  const stream = (): ReadableStream<Uint8Array> => (watched ??= countBytes(body, touch));
  const read = (responseType: ResponseType) => (): Promise<unknown> =>
    new Promise<Uint8Array>((resolve, reject) => {
      drain(watched ?? body, { maxBytes: Infinity, progress: touch }, resolve, reject);
    }).then((all) => convertBody(all, responseType, headers));
  const bytes = read('bytes') as () => Promise<Uint8Array>;
  const methods = {
    json: read('json'),
    text: read('text'),
    blob: read('blob'),
    bytes,
    arrayBuffer: () => bytes().then(({ buffer, byteOffset, byteLength }) => buffer.slice(byteOffset, byteOffset + byteLength)),
  };
  Object.defineProperty(response, 'body', { get: stream, configurable: true });
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(response, name, { value, configurable: true });
  return response;
}

function watchReads(body: Pick<ReadableStream<Uint8Array>, 'getReader'>, touch: () => void): void {
  const getReader = body.getReader.bind(body);
  const watched = (): ReadableStreamDefaultReader<Uint8Array> => {
    const reader = getReader();
    const read = reader.read.bind(reader);
    const touching: typeof read = () =>
      read().then((chunk) => {
        touch();
        return chunk;
      });
    return Object.defineProperty(reader, 'read', { value: touching });
  };
  Object.defineProperty(body, 'getReader', { value: watched, configurable: true });
}
