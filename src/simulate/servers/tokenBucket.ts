import { type Limit, reply, type Server } from './Server.js';

/** A bucket of `limit` tokens that fills evenly in a window; the reset is the time until the next token. */
export function tokenBucket(rule: Limit): Server {
  const perToken = rule.window / rule.limit;
  let tokens = rule.limit;
  let filled = 0;
  return (now) => {
    tokens = Math.min(rule.limit, tokens + (now - filled) / perToken);
    filled = now;
    const ok = tokens >= 1;
    if (ok) tokens--;
    return reply(rule, ok, Math.floor(tokens), (1 - (tokens % 1)) * perToken);
  };
}
