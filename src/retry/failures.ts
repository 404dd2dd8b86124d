import type { Failure } from './Failure.js';

/** Matches what the server answered with one of these statuses. */
export const status =
  (...statuses: readonly number[]) =>
  (failure: Failure): boolean =>
    failure.type === 'response' && statuses.includes(failure.status ?? 0);

/** Matches every status from 500 on, but for those named. */
export const serverError =
  (...except: readonly number[]) =>
  (failure: Failure): boolean =>
    failure.type === 'response' && (failure.status ?? 0) >= 500 && !except.includes(failure.status ?? 0);

/** Matches a failed connection and an attempt without progress. */
export const unanswered = (failure: Failure): boolean => failure.type === 'network' || failure.type === 'timeout';

/** Matches what one of several matches. */
export const anyOf =
  (...matches: readonly ((failure: Failure) => boolean)[]) =>
  (failure: Failure): boolean =>
    matches.some((match) => match(failure));
