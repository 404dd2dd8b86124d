import type { DelaySource } from '../DelaySource.js';
import { parseGoDuration } from '../parseDurations.js';
import { longestReset } from './longestReset.js';

const LIMITS = ['requests', 'tokens'].map((kind) => ({
  remaining: `x-ratelimit-remaining-${kind}`,
  reset: `x-ratelimit-reset-${kind}`,
}));

/**
 * OpenAI and compatible APIs: `x-ratelimit-reset-requests` and `x-ratelimit-reset-tokens`, durations as Go prints them (`6m0s`, `12ms`),
 * each once its `x-ratelimit-remaining-...` is 0; the longer of both.
 *
 * The duration is the time until the limit is whole again, so waiting for it is on the safe side. A request that needs more tokens than are
 * left is refused although some remain; the source then gives `undefined`.
 */
export const openai: DelaySource = (headers) => longestReset(headers, LIMITS, parseGoDuration);
