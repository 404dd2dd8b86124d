import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendChunks } from '../../../src/server/mock/streams.js';

describe('a streamed answer', () => {
  it('tells its source at once when the client goes, so that no timer outlives it', async () => {
    const told = new Promise<void>((resolve) => {
      async function* chunks(signal: AbortSignal): AsyncGenerator<string> {
        yield 'first';
        await new Promise<void>((done) => signal.addEventListener('abort', () => done()));
        resolve();
      }
      const server = createServer((_request, response) => void sendChunks(response, chunks, 'end'));
      onTestFinished(() => void server.close());
      server.listen(0, '127.0.0.1', () => {
        const abort = new AbortController();
        const leave = (): void => abort.abort();
        fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal: abort.signal }).then(leave, leave);
      });
    });
    await expect(told).resolves.toBeUndefined();
  });
});
