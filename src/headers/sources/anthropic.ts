import type { DelaySource } from '../DelaySource.js';
import { parseRfc3339, serverClock } from '../parseDates.js';
import { longestReset } from './longestReset.js';

const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'].map((kind) => ({
  remaining: `anthropic-ratelimit-${kind}-remaining`,
  reset: `anthropic-ratelimit-${kind}-reset`,
}));

/**
 * Anthropic: `anthropic-ratelimit-requests-reset` and its siblings for `tokens`, `input-tokens` and `output-tokens`, RFC 3339 date-times,
 * each once its `...-remaining` is 0; the latest of them.
 */
export const anthropic: DelaySource = (headers, now) => {
  const clock = serverClock(headers, now);
  return longestReset(headers, LIMITS, (value) => {
    const date = parseRfc3339(value);
    return date === undefined ? undefined : date - clock;
  });
};
