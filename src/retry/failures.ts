import type { Failure } from './Failure.js';

/** Matches answers with one of these statuses. */
const status =
  (...statuses: readonly number[]) =>
  (failure: Failure): boolean =>
    failure.type === 'response' && statuses.includes(failure.status ?? 0);

/** Matches every status from 500 on, except these. */
const serverError =
  (...except: readonly number[]) =>
  (failure: Failure): boolean =>
    failure.type === 'response' && (failure.status ?? 0) >= 500 && !except.includes(failure.status ?? 0);

/** Matches a failed connection and an attempt without progress. */
const unanswered = (failure: Failure): boolean => failure.type === 'network' || failure.type === 'timeout';

/** Matches the failures of any of several matchers. */
const anyOf =
  (...matches: readonly ((failure: Failure) => boolean)[]) =>
  (failure: Failure): boolean =>
    matches.some((match) => match(failure));

/**
 * Matchers of failures, for the `matches` of a rule.
 *
 * | matcher | failures |
 * |---|---|
 * | `status(408, 425)` | answers with one of these statuses |
 * | `serverError(501)` | answers with a status from 500 on, except these |
 * | `unanswered` | a failed connection, and an attempt without progress |
 * | `anyOf(a, b)` | those of any of several matchers |
 *
 * @example
 * const { transient } = policies.standard.rules;
 * const rules = { ...policies.standard.rules, transient: { ...transient, matches: failures.anyOf(failures.status(409), transient.matches) } };
 */
export const failures = /* @__PURE__ */ Object.freeze({ status, serverError, unanswered, anyOf });
