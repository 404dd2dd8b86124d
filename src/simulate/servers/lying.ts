import type { Server } from './Server.js';

/** Server that announces another number than what is left. @param says number announced, by the number that is left */
export function lying(server: Server, says: (left: number) => number): Server {
  return (now) => {
    const { status, headers } = server(now);
    const { ratelimit = '', ...others } = headers;
    const left = says(Number(/r=(\d+)/.exec(ratelimit)?.[1]));
    return { status, headers: { ...others, ratelimit: ratelimit.replace(/r=\d+/, `r=${left}`) } };
  };
}
