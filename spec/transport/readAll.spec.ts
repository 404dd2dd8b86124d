import { describe, expect, it } from 'vitest';
import { isBodyError } from 'coldfetch';
import { readAll, type ReadAllOptions } from '../../src/transport/readAll.js';

/** A body of these pieces that notes how it is read. */
function bodyOf(pieces: readonly string[], end: 'close' | 'stall' | Error = 'close') {
  const seen = { reads: 0, cancelled: false };
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.reads++;
        const piece = left.shift();
        if (piece) controller.enqueue(piece);
        else if (end === 'close') controller.close();
        else if (end !== 'stall') controller.error(end);
        return undefined;
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
}

/** Result of reading a body to its end. */
function drained(stream: ReadableStream<Uint8Array>, options: ReadAllOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => readAll(stream, options, (bytes) => resolve(new TextDecoder().decode(bytes)), reject));
}

describe('readAll', () => {
  it('joins the pieces of a body, and tells how far it has come', async () => {
    const heard: number[] = [];
    const { stream } = bodyOf(['abc', 'de', 'f']);
    expect(await drained(stream, { progress: (loaded) => heard.push(loaded) })).toBe('abcdef');
    expect(heard).toEqual([3, 5, 6]);
  });

  it('gives an empty body as no bytes', async () => {
    expect(await drained(bodyOf([]).stream)).toBe('');
  });

  it('fails at the byte beyond the bound, and lets go of the rest', async () => {
    const { stream, seen } = bodyOf(['abc', 'de', 'f']);
    const failure: unknown = await drained(stream, { maxBytes: 4 }).catch((error: unknown) => error);
    expect(isBodyError(failure) && failure.message).toBe('The body is longer than 4 bytes; raise maxBytes, or read it as a stream');
    expect(seen).toEqual({ reads: 2, cancelled: true });
  });

  it('takes a body of exactly the bound', async () => {
    expect(await drained(bodyOf(['abc', 'd']).stream, { maxBytes: 4 })).toBe('abcd');
  });

  it('cuts at the bound where it is told to', async () => {
    const { stream, seen } = bodyOf(['abc', 'de', 'f']);
    expect(await drained(stream, { maxBytes: 4, truncate: true })).toBe('abcd');
    expect(seen.cancelled).toBe(true);
  });

  it('fails with what the body fails with', async () => {
    const lost = new TypeError('terminated');
    await expect(drained(bodyOf(['abc'], lost).stream)).rejects.toBe(lost);
  });

  it('ends with what has come when it is stopped', async () => {
    const { stream, seen } = bodyOf(['abc'], 'stall');
    const text = await new Promise<Uint8Array>((resolve, reject) => {
      const { stop } = readAll(stream, { progress: () => queueMicrotask(() => stop()) }, resolve, reject);
    });
    expect(new TextDecoder().decode(text)).toBe('abc');
    expect(seen.cancelled).toBe(true);
  });

  it('says nothing once it is cancelled', async () => {
    const { stream, seen } = bodyOf(['abc'], 'stall');
    const said: string[] = [];
    const { cancel, stop } = readAll(
      stream,
      {},
      () => said.push('end'),
      () => said.push('fail'),
    );
    cancel();
    stop();
    await new Promise(setImmediate);
    expect(said).toEqual([]);
    expect(seen.cancelled).toBe(true);
  });

  it('takes reads that settle at once without going deeper, 100,000 of them', () => {
    let left = 100_000;
    const piece = Uint8Array.of(1);
    /** A thenable that settles in its `then`, like the reads of virtual bodies. */
    const settled = (): { then(next: (chunk: { done: boolean; value?: Uint8Array }) => void): void } => ({
      then: (next) => {
        next(left-- > 0 ? { done: false, value: piece } : { done: true });
      },
    });
    const body = { getReader: () => ({ read: settled }) } as unknown as Pick<ReadableStream<Uint8Array>, 'getReader'>;
    let length = 0;
    readAll(
      body,
      {},
      (bytes) => (length = bytes.length),
      () => undefined,
    );
    expect(length).toBe(100_000);
  });
});
