import { type Limit, reply, type Server } from './Server.js';

/** express-rate-limit's rules: a window begins with the first request after the last one ended, and rejected requests count. */
export function fixedWindow(rule: Limit): Server {
  let ends = 0;
  let hits = 0;
  return (now) => {
    if (now >= ends) {
      ends = now + rule.window;
      hits = 0;
    }
    hits++;
    return reply(rule, hits <= rule.limit, Math.max(0, rule.limit - hits), ends - now);
  };
}
