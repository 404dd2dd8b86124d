import type { TimelineAttempt, TimelineRequest, TimelineWait } from '../TimelineData.js';
import { openAs } from '../wording.js';

/** Kind of an attempt: each has a colour and a glyph of its own. */
export type AttemptKind = 'answered' | 'throttled' | 'broken' | 'refused' | 'silent' | 'lost' | 'flying' | 'cut';

/** Kind of a wait: each has a colour and a direction of its hatching. */
export type WaitKind = 'asked' | 'own' | 'gate';

/** Steps that have a colour of their own. */
export type StepKind = 'look' | 'hash' | 'permit';

/** True if a step's name is one of those. */
export function isStepKind(name: string): name is StepKind {
  return Object.hasOwn(STEP_NAMES, name);
}

/** The kind of an attempt. */
export function attemptKind(attempt: TimelineAttempt, request: TimelineRequest): AttemptKind {
  const { status, failure } = attempt;
  const open = openAs(attempt, request);
  if (open !== undefined) return open === 'in flight' ? 'flying' : 'cut';
  if (failure === 'timeout' || failure === 'deadline') return 'silent';
  if (failure === 'network' || failure === 'body' || failure === 'other') return 'lost';
  if (failure === undefined) return 'answered';
  if (status === 429) return 'throttled';
  return status !== undefined && status >= 500 ? 'broken' : 'refused';
}

/** The kind of a wait. */
export function waitKind({ kind, source }: TimelineWait): WaitKind {
  if (kind === 'gate') return 'gate';
  return source === 'backoff' ? 'own' : 'asked';
}

/** Number of a response that no attempt brought: a cache had it, or an interceptor. */
export const UNSENT = 0;

/** Parts of a request that are drawn as attempts: its attempts, or the response that came without one. */
export function attemptsOf({ attempts, outcome, end }: TimelineRequest): readonly TimelineAttempt[] {
  if (attempts.length > 0 || outcome.type !== 'answered') return attempts;
  return [{ number: UNSENT, start: end, end, status: outcome.status }];
}

/** Text of the legend for each kind. */
export const ATTEMPT_NAMES: Readonly<Record<AttemptKind, string>> = {
  answered: 'answered',
  throttled: 'too many requests',
  broken: 'server error',
  refused: 'refused',
  silent: 'timeout',
  lost: 'connection lost',
  flying: 'in flight',
  cut: 'cut short',
};

/** Text of the legend for each kind. */
export const WAIT_NAMES: Readonly<Record<WaitKind, string>> = {
  asked: 'the server asked to wait',
  own: 'own backoff',
  gate: 'held back before sending',
};

/** Text of the legend for each kind. */
export const STEP_NAMES: Readonly<Record<StepKind, string>> = {
  look: 'looked at',
  hash: 'read and hashed',
  permit: 'waited for a permit',
};
