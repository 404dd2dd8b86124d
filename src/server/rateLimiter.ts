import type { RequestHandler } from 'express';
import type { Peers } from './loadPeers.js';
import type { ServerLimit } from './ServerOptions.js';

/** A limiter, and how to stop its clock. */
export interface RunningLimiter {
  readonly handler: RequestHandler;
  readonly stop: () => void;
}

/**
 * The limiter of the real service: draft-8 fields on every answer, 429 in plain words, fixed windows from an address's first request. A
 * rejected request counts, and does not extend the window.
 */
export function rateLimiter({ rateLimit, MemoryStore }: Peers, { requests, windowMs }: Required<ServerLimit>): RunningLimiter {
  const store = new MemoryStore();
  const handler = rateLimit({
    limit: requests,
    windowMs,
    store,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Its checks print to the console about proxies; this server is reached directly.
    validate: false,
  });
  return { handler, stop: () => store.shutdown() };
}
