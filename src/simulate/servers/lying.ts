import type { Server } from './Server.js';

/**
 * A server that says something else than what is left, or nothing of its limit but a 429's Retry-After.
 *
 * @param says what it says, of what is left; `undefined`: it announces no limit
 */
export function lying(server: Server, says: (left: number) => number | undefined): Server {
  return (now) => {
    const { status, headers } = server(now);
    const { ratelimit = '', 'ratelimit-policy': policy = '', ...others } = headers;
    const left = says(Number(/r=(\d+)/.exec(ratelimit)?.[1]));
    if (left === undefined) return { status, headers: others };
    return { status, headers: { ...others, ratelimit: ratelimit.replace(/r=\d+/, `r=${left}`), 'ratelimit-policy': policy } };
  };
}
