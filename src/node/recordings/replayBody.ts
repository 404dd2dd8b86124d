import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { BodyError } from '../../request/errors/BodyError.js';
import type { Recording } from './Recording.js';
import { CHUNK } from '../../request/defaults.js';

/** The recorded bytes as a stream: the file is opened by the first read. */
export function replayBody(folder: string, recording: Recording, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks(folder, recording, signal));
}

async function* chunks(
  folder: string,
  { body, complete, request }: Recording,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const problem = (what: string): BodyError => new BodyError(`The recording of ${request.method} ${request.url} ${what}; record it again`);
  if (body) {
    const path = join(folder, body.file);
    const file = await open(path).catch((cause: unknown) => {
      throw new BodyError(`${problem('has lost its body').message} (${path})`, { cause });
    });
    try {
      let loaded = 0;
      for (;;) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK), 0, CHUNK);
        signal?.throwIfAborted();
        if (bytesRead === 0) break;
        loaded += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
      if (loaded !== body.bytes) throw problem(`has ${loaded} bytes, not ${body.bytes}`);
    } finally {
      await file.close();
    }
  }
  if (!complete) throw problem('ends here, since the answer was not read to its end');
}
