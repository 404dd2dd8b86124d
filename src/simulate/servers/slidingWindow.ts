import { type Limit, reply, type Server } from './Server.js';

/** At most `limit` accepted requests in any window; the reset is the time until the oldest of them falls out. */
export function slidingWindow(rule: Limit): Server {
  const accepted: number[] = [];
  return (now) => {
    while (accepted[0] !== undefined && accepted[0] <= now - rule.window) accepted.shift();
    const ok = accepted.length < rule.limit;
    if (ok) accepted.push(now);
    return reply(rule, ok, rule.limit - accepted.length, (accepted[0] ?? now) + rule.window - now);
  };
}
