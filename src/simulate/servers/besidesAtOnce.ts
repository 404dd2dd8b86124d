import type { Limit, Server } from './Server.js';

/** A server at which somebody else takes `count` requests as soon as a window opens, and waits for nothing. */
export function besidesAtOnce(server: Server, { window }: Limit, count: number): Server {
  let ends = 0;
  return (now) => {
    if (now >= ends) {
      ends = now + window;
      for (let i = 0; i < count; i++) server(now);
    }
    return server(now);
  };
}
