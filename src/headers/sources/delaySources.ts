import { anthropic } from './anthropic.js';
import { github } from './github.js';
import { nestThrottler, retryAfter, retryAfterMs, retryAfterSeconds } from './retryAfter.js';
import { openai } from './openai.js';
import { rateLimit } from './rateLimit.js';

/**
 * Delay sources: the ways in which servers say how long to wait. A rule names the ones it reads, in order, and the first that gives a delay
 * counts. `DelaySource` shows how to write another.
 *
 * | source | fields | unit |
 * |---|---|---|
 * | `retryAfterSeconds` | `Retry-After` | whole seconds from now; nothing else |
 * | `retryAfter` | `Retry-After`, else `Retry-After-NAME` | whole seconds from now, or an HTTP-date |
 * | `retryAfterMs` | `retry-after-ms`, `x-ms-retry-after-ms` | milliseconds from now |
 * | `rateLimit` | `RateLimit`, `RateLimit-*`, `X-RateLimit-*` | seconds from now; a large number is since 1970 |
 * | `github` | `x-ratelimit-reset` | seconds since 1970 |
 * | `openai` | `x-ratelimit-reset-requests`, `-tokens` | a Go duration: `6m0s` |
 * | `anthropic` | `anthropic-ratelimit-...-reset` | an RFC 3339 date-time |
 * | `nestThrottler` | `Retry-After-NAME` | whole seconds from now; `retryAfter` reads it, too |
 */
export const delaySources = /* @__PURE__ */ Object.freeze({
  retryAfterSeconds,
  retryAfter,
  retryAfterMs,
  rateLimit,
  github,
  openai,
  anthropic,
  nestThrottler,
});
