import type { Limit, Server } from './Server.js';

/** A server at which somebody else takes a share of the quota, evenly, and waits for nothing. @param share 0 to 1 */
export function besides(server: Server, { limit, window }: Limit, share: number): Server {
  const pause = window / (limit * share);
  let next = 0;
  return (now) => {
    for (; next < now; next += pause) server(next);
    return server(now);
  };
}

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
