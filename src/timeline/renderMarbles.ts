import { formatMarbleTime } from './formatTime.js';
import type { Timeline, TimelineAttempt, TimelineRequest, TimelineWait } from './TimelineData.js';
import { resultOf } from './wording.js';

/**
 * A timeline as marble text, one line for each request.
 *
 *     --x(429) ~3s~ --x(503) ~1s~ --o(200)
 *
 * | sign | means |
 * |---|---|
 * | `--`, `-30s-` | an attempt in flight; the time is written from 1 s on |
 * | `o(200)` | the answer |
 * | `x(429)`, `x(timeout)` | a failed attempt |
 * | `~3s~` | a wait; `~1.5s of 3s` one that ended early |
 * | `#(exhausted)` | giving up, and why |
 * | `!` | the caller ended it |
 * | `...` | still running |
 *
 * Rows that start later than the first begin with how much later; with more than one row each has its label in front.
 */
export function renderMarbles({ requests }: Timeline): string {
  const labels = requests.map(({ label }) => label.replace(/\s+/g, ' '));
  const width = requests.length > 1 ? Math.max(...labels.map(({ length }) => length)) : 0;
  return requests.map((request, i) => `${width > 0 ? `${labels[i]?.padEnd(width) ?? ''}  ` : ''}${line(request)}`).join('\n');
}

function line(request: TimelineRequest): string {
  const { start, attempts, waits, outcome } = request;
  const parts = [
    ...attempts.map((attempt) => ({ at: attempt.start, order: attempt.number, text: drawAttempt(attempt, request) })),
    // A wait stands behind the attempt that failed.
    ...waits.map((wait) => ({ at: wait.start, order: wait.attempt + 0.5, text: drawWait(wait, request) })),
  ].sort((a, b) => a.at - b.at || a.order - b.order);
  const answeredUnsent = outcome.type === 'answered' && attempts.length === 0 ? [`o(${outcome.status})`] : [];
  const gaveUp = outcome.type === 'gave-up' ? [`#(${outcome.reason})`] : [];
  const ended = { aborted: ['!'], running: ['...'], failed: ['#'], answered: answeredUnsent, 'gave-up': gaveUp }[outcome.type];
  return [...(start > 0 ? [formatMarbleTime(start)] : []), ...parts.map(({ text }) => text), ...ended].join(' ');
}

function drawAttempt(attempt: TimelineAttempt, { outcome }: TimelineRequest): string {
  const { start, end, status, failure } = attempt;
  const flight = end - start < 1000 ? '--' : `-${formatMarbleTime(end - start)}-`;
  if (failure !== undefined) return `${flight}x(${resultOf(attempt)})`;
  const cut = status === undefined || outcome.type === 'aborted' || outcome.type === 'running';
  return cut ? flight : `${flight}o(${status})`;
}

function drawWait({ start, end, delay }: TimelineWait, { end: over, outcome }: TimelineRequest): string {
  const ended = end - start;
  const early = end === over && outcome.type !== 'answered' && ended < delay;
  return early ? `~${formatMarbleTime(ended)} of ${formatMarbleTime(delay)}` : `~${formatMarbleTime(ended)}~`;
}
