import { formatTime } from './formatTime.js';
import type { TimelineAttempt, TimelineRequest } from './TimelineData.js';

/** Where a delay came from, as people say it: the field of the answer, or whose idea it was. */
const SOURCES: Readonly<Record<string, string>> = {
  retryAfter: 'Retry-After',
  retryAfterSeconds: 'Retry-After',
  retryAfterMs: 'retry-after-ms',
  rateLimit: 'RateLimit',
  github: 'x-ratelimit-reset',
  openai: 'x-ratelimit-reset',
  anthropic: 'ratelimit-reset',
  backoff: 'backoff',
};

/** The name of a delay's source, for people; one that is not ours stays as it is. */
export function sourceName(source: string): string {
  return SOURCES[source] ?? source;
}

/** How an attempt came out, in a word: its status, or what happened instead of one. */
export function resultOf({ status, failure }: TimelineAttempt): string {
  if (failure === undefined || failure === 'response') return status === undefined ? 'cut short' : String(status);
  if (failure === 'other') return status === undefined ? 'failed' : `${status} failed`;
  return status === undefined ? failure : `${status} ${failure}`;
}

/** How a request ended, in a few words. */
export function outcomeOf({ outcome, start, end }: TimelineRequest): string {
  const time = formatTime(end - start);
  switch (outcome.type) {
    case 'answered':
      return `${outcome.status} after ${time}`;
    case 'gave-up':
      return `gave up after ${time}: ${outcome.reason}`;
    case 'failed':
      return `failed after ${time}`;
    case 'aborted':
      return `aborted after ${time}`;
    case 'running':
      return `running for ${time}`;
  }
}
