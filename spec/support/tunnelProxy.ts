import http, { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy, and the hosts that it was asked for. */
export interface TunnelProxy {
  readonly url: string;
  readonly tunnels: string[];
}

/** A proxy that opens tunnels or forwards requests, as versions of undici ask for; gone when the spec is over. */
export async function tunnelProxy(): Promise<TunnelProxy> {
  const tunnels: string[] = [];
  const server = createServer((request, response) => {
    tunnels.push(new URL(request.url ?? '').host);
    http.get(request.url ?? '', { agent: false }, (answer) => answer.pipe(response));
  }).on('connect', (request, client) => {
    tunnels.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    for (const socket of [client, target]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tunnels };
}
