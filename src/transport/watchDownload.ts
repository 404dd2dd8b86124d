import { firstValueFrom, map } from 'rxjs';
import { convertBody, readBytes } from './readBody.js';
import { countBytes } from './countBytes.js';
import type { ResponseType } from '../request/HttpRequest.js';

/**
 * Lets `touch` know when bytes of an answer's body arrive, however the receiver reads it. The Response stays the same object: its `body` and
 * the methods that read it are overlaid, on real streams only (virtual bodies settle in virtual time by themselves).
 */
export function watchDownload(response: Response, touch: () => void): Response {
  const { body, headers } = response;
  if (!(body instanceof ReadableStream)) return response;
  let watched: ReadableStream<Uint8Array> | undefined;
  const stream = (): ReadableStream<Uint8Array> => (watched ??= countBytes(body, touch));
  const read = (responseType: ResponseType) => (): Promise<unknown> =>
    firstValueFrom(
      readBytes(watched ? { body: watched } : { body }, { maxBytes: Infinity, progress: touch }).pipe(
        map((bytes) => convertBody(bytes, responseType, headers)),
      ),
    );
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
