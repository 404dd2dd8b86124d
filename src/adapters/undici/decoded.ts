import { pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { BodyReader, ReadableBody } from '../../transport/readAll.js';

/** Most codings of one body, as with `fetch`: each of them may inflate the body. */
const MOST_CODINGS = 5;

// Options that give the decoded part of a stream that was cut, as `fetch` does, since some servers do not end theirs.
const LENIENT = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { flush: zlib.constants.BROTLI_OPERATION_FLUSH, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

/** Decoder of zstd, in Node from 22.15 on. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };

type Chunks = AsyncIterable<Uint8Array>;
type Decoder = (chunks: Chunks) => Chunks;

const gunzip: Decoder = (chunks) => through(chunks, zlib.createGunzip(LENIENT));

/** Decoders by the name of the coding (RFC 9110 section 8.4.1). */
const DECODERS: Readonly<Record<string, Decoder | undefined>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: (chunks) => through(chunks, zlib.createBrotliDecompress(LENIENT_BROTLI)),
  zstd: createZstdDecompress && ((chunks) => through(chunks, createZstdDecompress())),
};

/** A body without the codings that its `content-encoding` names, decoded when it is read; one with an unknown coding stays as it is. */
export function decoded(body: ReadableBody, contentEncoding: string): ReadableBody {
  const codings = contentEncoding.toLowerCase().split(',');
  const decoders = codings.map((coding) => DECODERS[coding.trim()]).filter((decoder) => decoder !== undefined);
  if (decoders.length < codings.length && codings.length <= MOST_CODINGS) return body;
  return { getReader: () => decodingReader(body.getReader(), decoders.reverse()) };
}

function decodingReader(reader: BodyReader, decoders: readonly Decoder[]): BodyReader {
  const chunks = decoders.reduce<Chunks>((encoded, decode) => decode(encoded), chunksOf(reader, decoders.length));
  const iterator = chunks[Symbol.asyncIterator]();
  return {
    read: () =>
      iterator.next().then(
        ({ done, value }) => (done === true ? { done } : { done: false, value }),
        (cause: unknown) => {
          // The message is that of `fetch`, by which failures are told apart.
          throw cause instanceof TypeError ? cause : new TypeError('terminated', { cause });
        },
      ),
    cancel: (reason) => {
      iterator.return?.().then(undefined, () => undefined);
      return reader.cancel(reason);
    },
  };
}

async function* chunksOf(reader: BodyReader, codings: number): AsyncGenerator<Uint8Array> {
  try {
    if (codings > MOST_CODINGS) throw new Error(`content-encoding names ${codings} codings, and at most ${MOST_CODINGS} are decoded`);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function through(chunks: Chunks, decoder: Transform): Chunks {
  // The reader receives the errors.
  return pipeline(chunks, decoder, () => undefined);
}

/**
 * Decodes the coding that servers call deflate: zlib's format (RFC 1950), which is right, or the bare one (RFC 1951). The first byte shows
 * which.
 */
async function* inflate(chunks: Chunks): Chunks {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  const isZlib = ((first.value[0] ?? 0) & 0x0f) === 0x08;
  yield* through(startingWith(first.value, iterator), isZlib ? zlib.createInflate(LENIENT) : zlib.createInflateRaw(LENIENT));
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Chunks {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}
