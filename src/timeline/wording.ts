import { formatDuration } from '../request/duration.js';
import type { TimelineAttempt, TimelineRequest, TimelineWait } from './TimelineData.js';

/** Origin of a delay in people's words: the field of the response, or the part of coldfetch that chose it. */
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

/** Outcome of an attempt without an end of its own, and its request's wording for that; an answer that has ended has none. */
export function openAs({ status, failure }: TimelineAttempt, { outcome }: TimelineRequest): 'in flight' | 'cut short' | undefined {
  if (failure !== undefined) return undefined;
  if (outcome.type === 'running') return 'in flight';
  return outcome.type === 'aborted' || status === undefined ? 'cut short' : undefined;
}

/** Outcome of an attempt, in a word or two: its status, or the failure in place of one, or that of its body. */
export function resultOf(attempt: TimelineAttempt, request: TimelineRequest): string {
  const { status, failure } = attempt;
  const open = openAs(attempt, request);
  if (open !== undefined) return status === undefined ? open : `${status}, ${open}`;
  if (failure === undefined || failure === 'response') return String(status);
  if (failure === 'other') return status === undefined ? 'failed' : `${status} failed`;
  return status === undefined ? failure : `${status} ${failure}`;
}

/** Length of a wait, and its planned length where something ended it early. */
export function waitedFor({ start, end, delay }: TimelineWait): string {
  return end - start < delay - 1 ? `${formatDuration(end - start)} of ${formatDuration(delay)}` : formatDuration(delay);
}

/** A wait in words: `waits 3 s (Retry-After; throttled)`. */
export function waitText(wait: TimelineWait): string {
  return `waits ${waitedFor(wait)} (${sourceName(wait.source)}${wait.capped ? ', capped' : ''}; ${wait.kind})`;
}

/** A name as it may stand in a line, on a terminal too: without line breaks and other control characters. */
export function oneLine(label: string): string {
  return label.replace(/[\s\p{Cc}]+/gu, ' ');
}

/** Outcome of a request, in a few words. */
export function outcomeOf({ outcome, start, end }: TimelineRequest): string {
  const time = formatDuration(end - start);
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
