import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** End of a streamed answer: a proper one, a connection that closes in the middle, or none. */
export type Ending = 'end' | 'break' | 'hold';

/**
 * Sends `chunks` as fast as the client reads, then stops as `ending` says. A client that goes away ends it: `chunks` is told by its signal and
 * its `return`.
 */
export async function sendChunks(
  response: ServerResponse,
  chunks: (signal: AbortSignal) => AsyncIterable<string>,
  ending: Ending,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.flushHeaders();
  try {
    await pipeline(Readable.from(chunks(gone.signal)), response, { end: ending === 'end' });
  } catch (error) {
    if (gone.signal.aborted || response.destroyed) return;
    throw error;
  }
  // Ends the connection and not the answer: the closing chunk of the chunked coding never comes.
  if (ending === 'break') response.socket?.end();
}
