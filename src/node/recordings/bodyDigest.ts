import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { isAsyncIterable, isBlob, isBytes, isFormData, bytesOf as bytesOfBuffer } from '../../request/bodyShapes.js';

/** A body that can be read once only. */
type OnceBody = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** True if a request's body can be read once only. */
export function isOnce(body: unknown): body is OnceBody {
  return body instanceof ReadableStream || isAsyncIterable(body);
}

/** All bytes of a body that can be read once only. */
export async function bytesOf(body: OnceBody): Promise<Uint8Array> {
  return new Uint8Array(await new Response(streamOf(body)).arrayBuffer());
}

/**
 * SHA-256 of a body's bytes, in hex; undefined without a body. A form counts by its fields and files, not by the boundary, which changes
 * each time. Files are read chunk by chunk.
 */
export async function bodyDigest(body: unknown): Promise<string | undefined> {
  if (body === null || body === undefined) return undefined;
  const hash = createHash('sha256');
  if (isFormData(body)) await addForm(hash, body);
  else if (isBlob(body)) await addFile(hash, body);
  else if (isBytes(body)) hash.update(bytesOfBuffer(body));
  // The remaining kinds become text, as in `fetch`: URL parameters, and any other object.
  else hash.update((body as { toString(): string }).toString());
  return hash.digest('hex');
}

/**
 * The same bytes, which are digested as they are sent.
 *
 * @returns a stream, and a `digest()` that is undefined until all of them have been
 */
export function digestInPassing(body: OnceBody): { readonly body: ReadableStream<Uint8Array>; digest(): string | undefined } {
  const hash = createHash('sha256');
  let digest: string | undefined;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      hash.update(chunk);
      controller.enqueue(chunk);
    },
    flush() {
      digest = hash.digest('hex');
    },
  });
  return { body: streamOf(body).pipeThrough(counter), digest: () => digest };
}

async function addForm(hash: Hash, form: FormData): Promise<void> {
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      hash.update(JSON.stringify([name, value]));
    } else {
      hash.update(JSON.stringify([name, value.name, value.type, value.size]));
      await addFile(hash, value);
    }
  }
}

async function addFile(hash: Hash, file: Blob): Promise<void> {
  for await (const chunk of file.stream() as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
}

function streamOf(body: OnceBody): ReadableStream<Uint8Array> {
  return body instanceof ReadableStream ? body : ReadableStream.from(body as AsyncIterable<Uint8Array> | Readable);
}
