import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { coldFetch } from 'coldfetch';

it('closes the connection when nobody listens any more', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const closed = new Promise<boolean>((resolve) => {
      server.once('request', (request) => {
        request.socket.once('close', () => resolve(true));
        subscription.unsubscribe();
      });
    });
    const subscription = coldFetch(`http://127.0.0.1:${port}/`).subscribe();
    expect(await closed).toBe(true);
  } finally {
    server.close();
  }
});
