import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

const clients = new Set<Socket>();
const servers = new Set<Socket>();

subscribe('net.client.socket', (message) => note(clients, message));
subscribe('net.server.socket', (message) => note(servers, message));

function note(sockets: Set<Socket>, message: unknown): void {
  const { socket } = message as { readonly socket: Socket };
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

/**
 * Waits until whatever this process has written to its own servers and clients has been read at the other end, and has been handled there. Never
 * ends while a reader is paused.
 */
export async function settled(): Promise<void> {
  do {
    // Handlers of a read run in its turn of the event loop, what they promise before the next.
    await turn();
    await turn();
  } while (!isQuiet());
}

/** The socket at the other end of one of a server, in this process. */
export function peerOf({ remotePort }: Socket): Socket | undefined {
  return [...clients].find(({ localPort }) => localPort === remotePort);
}

function isQuiet(): boolean {
  const connecting = [...clients].some((socket) => socket.connecting);
  return !connecting && [...servers].every((socket) => isRead(socket, peerOf(socket)));
}

function isRead(socket: Socket, peer: Socket | undefined): boolean {
  return peer === undefined || (socket.bytesWritten === peer.bytesRead && peer.bytesWritten === socket.bytesRead);
}
