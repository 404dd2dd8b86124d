import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  from,
  ignoreElements,
  mergeMap,
  type Observable,
  type ObservableInput,
  of,
  takeLast,
  throwError,
} from 'rxjs';
import { hintOf } from '../pace/outcomes.js';
import type { GiveUpReason } from '../request/HttpEvent.js';
import { readHint } from '../retry/computeDelay.js';
import { type Decision, decideRetry } from '../retry/decideRetry.js';
import { lastRule } from '../retry/rules.js';
import type { Verdict } from '../retry/RetryPolicy.js';
import { waitUntil } from '../time.js';
import { discardBody } from '../transport/discardBody.js';
import { takeUntilAborted } from '../transport/takeUntilAborted.js';
import { isAbort, type RunningOperation, unobservedAbort } from './RunningOperation.js';
import { gaveUpEvent, waitEvent } from './events.js';
import type { FailedAttempt } from './OperationLog.js';
import { attachReport, reportSince, type RetryReport } from './retryReport.js';

/**
 * Decides what follows a failed attempt. Emits when the next one may ask for its permit, at once where a gate holds it; errors where the
 * operation ends.
 */
export function afterFailure<T>(operation: RunningOperation<T>, error: unknown): Observable<unknown> {
  const { log, policy } = operation;
  if (isAbort(error, policy)) return throwError(() => error);
  const { givenUp, failed } = log;
  if (givenUp) return giveUp(operation, givenUp.reason, givenUp.error, failed);
  if (!failed) return throwError(() => error);
  const inner = reportSince(failed.send, error) ?? reportSince(failed.send, failed.failure.response);
  if (inner) return passOn(operation, inner, failed);
  return verdictOf(operation, failed).pipe(
    mergeMap((verdict) => carryOut(operation, failed, decisionOf(operation, failed, verdict))),
    // A hook that throws ends the operation with its error.
    catchError((thrown: unknown) => (log.givenUp ? throwError(() => thrown) : giveUp(operation, 'hook-failed', thrown, failed))),
    takeUntilAborted(unobservedAbort(operation, error)),
  );
}

/** The verdict of the policy's `classify` hook, which may look at the body. */
function verdictOf<T>({ policy, context }: RunningOperation<T>, { failure }: FailedAttempt): Observable<Verdict> {
  try {
    return toObservable(policy.classify?.(failure, () => context.failures.peek(failure)));
  } catch (thrown) {
    return throwError(() => thrown);
  }
}

// A hook in JavaScript may return null for "no opinion".
function toObservable(verdict: Verdict | null | ObservableInput<Verdict>): Observable<Verdict> {
  if (typeof verdict !== 'object' || verdict === null) return of(verdict ?? undefined);
  return from(verdict).pipe(defaultIfEmpty(undefined), takeLast(1));
}

function decisionOf<T>({ policy, log, admission, output }: RunningOperation<T>, failed: FailedAttempt, verdict: Verdict): Decision {
  const { failure, hold, at } = failed;
  const spare = verdict === 'retry' && !failed.found ? lastRule(policy) : undefined;
  const found = verdict === 'terminal' ? undefined : (failed.found ?? spare);
  // A failure without a rule has no hint: no rule named the sources to read.
  const hint = spare ? readHint(spare.rule.sources, failure.headers, failed.wall) : failed.hint;
  if (verdict === 'terminal') hold?.withdraw();
  const state = log.counters.of(found?.kind ?? '');
  const refusal = hold?.refusal;
  const doubted = hint?.delay === 0 && state.zero;
  const exhausted = refusal !== undefined && found !== undefined && found.rule.retries > 0 && refusal.run >= found.rule.retries;
  const decision = decideRetry(policy, {
    failure,
    found,
    state,
    hint: refusal ? hintOf(refusal) : doubted ? undefined : hint,
    index: Math.max(state.retries, (refusal?.refusals ?? 1) - 1),
    counted: hold?.counted !== false,
    spent: exhausted,
    partial: output !== undefined && !policy.resume,
    left: log.deadline - at,
  });
  if (decision.then !== 'retry') return decision;
  log.counters.set(decision.kind, { ...decision.state, zero: hint === undefined ? state.zero : hint.delay === 0 });
  if (refusal && found) admission?.adopt(refusal, found.rule.hint, decision.delay);
  return decision;
}

function carryOut<T>(operation: RunningOperation<T>, failed: FailedAttempt, decision: Decision): Observable<unknown> {
  const { log, context, policy, body } = operation;
  const { failure, hold, at, wall } = failed;
  const { admitter, failures } = context;
  if (decision.then === 'give-up') return giveUp(operation, decision.reason, failure.error, failed, decision.kind);
  log.beginWait(at);
  // The failure is the operation's outcome if the next attempt is refused before it is sent.
  if (failures.keep && (admitter ?? policy.offline === 'wait')) body.keep(failures.keep(failure.response));
  else discardBody(failure.response);
  if (hold) return of(undefined);
  const { delay, source, capped } = decision.delay;
  context.emit(waitEvent({ delay, since: wall, kind: decision.kind, source, capped }, log, context));
  return waitUntil(at + delay);
}

/** Ends the operation with an error, once its body is kept for the reader. */
function giveUp<T>(
  { log, context, body }: RunningOperation<T>,
  reason: GiveUpReason,
  error: unknown,
  failed?: FailedAttempt,
  kind = failed?.found?.kind,
): Observable<never> {
  log.givenUp = { reason, error };
  const ended = defer(() => {
    const failure = failed?.failure.error === error ? failed?.failure : undefined;
    const cause = reason === 'hook-failed' && failed ? { cause: failed.failure.error } : {};
    const report = { ...log.report(reason), ...cause };
    attachReport(report, error, failure?.response);
    context.emit(gaveUpEvent(report, error, context, failure, failure && kind));
    return throwError(() => error);
  });
  return concat(body.done$.pipe(ignoreElements()), ended);
}

/** Ends the operation with a failure that another operation, inside of the attempt, has given up on: its report stays. */
function passOn<T>({ log, context }: RunningOperation<T>, report: RetryReport, { failure, found }: FailedAttempt): Observable<never> {
  const { error } = failure;
  log.givenUp = { reason: report.reason, error };
  attachReport(report, error);
  context.emit(gaveUpEvent(report, error, context, failure, found?.kind));
  return throwError(() => error);
}
