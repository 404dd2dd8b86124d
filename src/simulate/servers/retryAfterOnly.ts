import type { Server } from './Server.js';

/** Server that announces no quota: its 429s ask for a delay by `Retry-After`, and nothing else tells of the limit. */
export function retryAfterOnly(server: Server): Server {
  return (now) => {
    const { status, headers } = server(now);
    const delay = headers['retry-after'];
    return { status, headers: delay === undefined ? {} : { 'retry-after': delay } };
  };
}
