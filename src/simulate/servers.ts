/** Response of a simulated server. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A rate limit, in virtual time: called once for each request that arrives, with the time in ms. */
export type Server = (now: number) => Reply;

/** A limit in a window. */
export interface Limit {
  /** Requests in a window. */
  readonly limit: number;
  /** Length of the window in ms. */
  readonly window: number;
}

/** The fields of IETF drafts 8 to 10 as express-rate-limit sends them, with Retry-After on a 429. `reset` in ms, rounded up to seconds. */
export function reply({ limit, window }: Limit, ok: boolean, remaining: number, reset: number): Reply {
  const seconds = Math.ceil(reset / 1000);
  const headers = {
    'ratelimit-policy': `"${limit}"; q=${limit}; w=${window / 1000}`,
    ratelimit: `"${limit}"; r=${remaining}; t=${seconds}`,
  };
  return ok ? { status: 201, headers } : { status: 429, headers: { ...headers, 'retry-after': String(seconds) } };
}

/** Server by express-rate-limit's rules: a window begins with the first request after the last one ended, and rejected requests count. */
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

/** Server that accepts at most `limit` requests in any window; the reset is the time until the oldest of them falls out. */
export function slidingWindow(rule: Limit): Server {
  const accepted: number[] = [];
  return (now) => {
    while (accepted[0] !== undefined && accepted[0] <= now - rule.window) accepted.shift();
    const ok = accepted.length < rule.limit;
    if (ok) accepted.push(now);
    return reply(rule, ok, rule.limit - accepted.length, (accepted[0] ?? now) + rule.window - now);
  };
}

/** Server with a bucket of `limit` tokens that fills evenly in a window; the reset is the time until the next token. */
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

/** Server of which another client takes a share of the quota, evenly, without ever waiting. @param share 0 to 1 */
export function withOtherClients(server: Server, { limit, window }: Limit, share: number): Server {
  const pause = window / (limit * share);
  let next = 0;
  return (now) => {
    for (; next < now; next += pause) server(next);
    return server(now);
  };
}

/** Server of which another client takes `count` requests as soon as a window opens, without ever waiting. */
export function withBurstOfOthers(server: Server, { window }: Limit, count: number): Server {
  let ends = 0;
  return (now) => {
    if (now >= ends) {
      ends = now + window;
      for (let i = 0; i < count; i++) server(now);
    }
    return server(now);
  };
}

/** Server that announces another number than that of the requests left. @param says number announced, by the number that is left */
export function misreporting(server: Server, says: (left: number) => number): Server {
  return (now) => {
    const { status, headers } = server(now);
    const { ratelimit = '', ...others } = headers;
    const left = says(Number(/r=(\d+)/.exec(ratelimit)?.[1]));
    return { status, headers: { ...others, ratelimit: ratelimit.replace(/r=\d+/, `r=${left}`) } };
  };
}

/** Server that announces no quota: its 429s ask for a delay by `Retry-After`, and no other field shows the limit. */
export function retryAfterOnly(server: Server): Server {
  return (now) => {
    const { status, headers } = server(now);
    const delay = headers['retry-after'];
    return { status, headers: delay === undefined ? {} : { 'retry-after': delay } };
  };
}
