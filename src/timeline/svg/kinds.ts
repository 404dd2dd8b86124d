import type { TimelineAttempt, TimelineWait } from '../TimelineData.js';

/** How an attempt is drawn: each kind has a colour and a glyph of its own. */
export type AttemptKind = 'answered' | 'throttled' | 'broken' | 'refused' | 'silent' | 'lost' | 'cut';

/** How a wait is drawn: each kind has a colour and a direction of its hatching. */
export type WaitKind = 'asked' | 'own' | 'gate';

/** The kind of an attempt. */
export function attemptKind({ status, failure }: TimelineAttempt): AttemptKind {
  if (failure === 'timeout' || failure === 'deadline') return 'silent';
  if (failure === 'network' || failure === 'body' || failure === 'other') return 'lost';
  if (status === undefined) return 'cut';
  if (failure === undefined) return 'answered';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'broken' : 'refused';
}

/** The kind of a wait. */
export function waitKind({ kind, source }: TimelineWait): WaitKind {
  if (kind === 'gate') return 'gate';
  return source === 'backoff' ? 'own' : 'asked';
}

/** What the legend says of each. */
export const ATTEMPT_NAMES: Readonly<Record<AttemptKind, string>> = {
  answered: 'answered',
  throttled: 'too many requests',
  broken: 'server error',
  refused: 'refused',
  silent: 'timeout',
  lost: 'connection lost',
  cut: 'cut short',
};

/** What the legend says of each. */
export const WAIT_NAMES: Readonly<Record<WaitKind, string>> = {
  asked: 'the server asked to wait',
  own: 'own backoff',
  gate: 'waiting for quota',
};
