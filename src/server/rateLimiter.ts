import type { RequestHandler } from 'express';
import type { AugmentedRequest, RateLimitExceededEventHandler } from 'express-rate-limit';
import type { Peers } from './express/loadPeers.js';
import type { ServerLimit } from './options/ServerOptions.js';

/** A limiter, with the function that stops its clock. */
export interface RunningLimiter {
  readonly handler: RequestHandler;
  readonly stop: () => void;
}

/**
 * The limiter of the real service: draft-8 fields on every response unless the limit is not `announced`, 429 in plain words, fixed windows
 * from an address's first request. A rejected request counts, and does not extend the window.
 */
export function rateLimiter({ rateLimit, MemoryStore }: Peers, { requests, windowMs, announced }: Required<ServerLimit>): RunningLimiter {
  const store = new MemoryStore();
  const handler = rateLimit({
    limit: requests,
    windowMs,
    store,
    standardHeaders: announced ? 'draft-8' : false,
    legacyHeaders: false,
    ...(announced ? {} : { handler: sayLater }),
    // Validations of express-rate-limit print to the console about proxies; this server is reached directly.
    validate: false,
  });
  return { handler, stop: () => store.shutdown() };
}

// The field Retry-After is left out by express-rate-limit, too, when its other fields are off.
const sayLater: RateLimitExceededEventHandler = (request, response, _next, { statusCode, message }) => {
  const { resetTime } = (request as AugmentedRequest).rateLimit ?? {};
  const seconds = resetTime === undefined ? 1 : Math.max(0, Math.ceil((resetTime.getTime() - Date.now()) / 1000));
  response.status(statusCode).set('Retry-After', String(seconds)).send(message);
};
