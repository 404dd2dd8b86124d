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
import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import type { GiveUpReason } from '../request/HttpEvent.js';
import { readHint } from '../retry/computeDelay.js';
import { type Decision, decide } from '../retry/decide.js';
import { lastRule } from '../retry/findRule.js';
import type { Verdict } from '../retry/RetryPolicy.js';
import { waitUntil } from '../time.js';
import { discardBody } from '../transport/discardBody.js';
import { type Stop, stopOn } from '../transport/stopOn.js';
import type { Operation } from './attempt.js';
import { gaveUpEvent } from './gaveUpEvent.js';
import { hintOf } from './GatePlan.js';
import { isAbort } from './isAbort.js';
import type { FailedAttempt } from './OperationLog.js';
import { peekBody } from './peekBody.js';
import { attachReport, reportSince } from './retryReport.js';
import { waitEvent } from './waitEvent.js';

/**
 * Decides about an attempt that failed. Emits when the next one may ask for its permit, at once where a gate holds it; errors where the
 * operation ends.
 */
export function afterFailure<T>(operation: Operation<T>, error: unknown): Observable<unknown> {
  const { log, policy } = operation;
  if (isAbort(error, policy)) return throwError(() => error);
  const { givenUp, failed } = log;
  if (givenUp) return giveUp(operation, givenUp.reason, givenUp.error, failed);
  if (!failed) return throwError(() => error);
  const inner = reportSince(failed.send, error);
  if (inner) return giveUp(operation, inner.reason, error, failed);
  return verdictOf(operation, failed).pipe(
    mergeMap((verdict) => carryOut(operation, failed, judge(operation, failed, verdict))),
    // A hook that throws ends the operation with its error.
    catchError((thrown: unknown) => (log.givenUp ? throwError(() => thrown) : giveUp(operation, 'hook-failed', thrown, failed))),
    stopOn(isColdfetchError(error) ? unheard(operation, error.request) : {}),
  );
}

/** The verdict of the policy's `classify` hook, which may look at the body. */
function verdictOf<T>({ policy }: Operation<T>, { failure }: FailedAttempt): Observable<Verdict> {
  try {
    return toObservable(policy.classify?.(failure, () => peekBody(failure)));
  } catch (thrown) {
    return throwError(() => thrown);
  }
}

// A hook in JavaScript says null for "no opinion", too.
function toObservable(verdict: Verdict | null | ObservableInput<Verdict>): Observable<Verdict> {
  if (typeof verdict !== 'object' || verdict === null) return of(verdict ?? undefined);
  return from(verdict).pipe(defaultIfEmpty(undefined), takeLast(1));
}

function judge<T>({ policy, log, plan, output }: Operation<T>, failed: FailedAttempt, verdict: Verdict): Decision {
  const { failure, hold, at } = failed;
  const spare = verdict === 'retry' && !failed.found ? lastRule(policy) : undefined;
  const found = verdict === 'terminal' ? undefined : (failed.found ?? spare);
  // A failure that no rule takes has been read by none.
  const hint = spare ? readHint(spare.rule.sources, failure.headers, failed.wall) : failed.hint;
  if (verdict === 'terminal') hold?.withdraw();
  const state = log.stateOf(found?.kind ?? '');
  const refusal = hold?.refusal;
  const doubted = hint?.delay === 0 && state.zero;
  const exhausted = refusal !== undefined && found !== undefined && found.rule.retries > 0 && refusal.run >= found.rule.retries;
  const decision = decide(policy, {
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
  log.setState(decision.kind, { ...decision.state, zero: hint === undefined ? state.zero : hint.delay === 0 });
  if (refusal && found) plan.adopt(refusal, found, decision.delay);
  return decision;
}

function carryOut<T>(operation: Operation<T>, failed: FailedAttempt, decision: Decision): Observable<unknown> {
  const { log, context } = operation;
  const { failure, hold, at, wall } = failed;
  if (decision.then === 'give-up') return giveUp(operation, decision.reason, failure.error, failed, decision.kind);
  log.beginWait(at);
  if (hold) {
    // The gate may still refuse the next attempt, and this failure is then the outcome.
    operation.body.keep(failure.response);
    return of(undefined);
  }
  discardBody(failure.response);
  const { delay, source, capped } = decision.delay;
  context.emit(waitEvent({ delay, until: wall + delay, kind: decision.kind, source, capped }, log, context));
  return waitUntil(at + delay);
}

/** Ends the operation with an error, once the body that it may be read for is kept. */
function giveUp<T>(
  { log, context, body }: Operation<T>,
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

/** Ends of the failed request that nobody subscribes to for the whole operation. */
function unheard<T>({ context, policy }: Operation<T>, { signal, abort$ }: Stop = {}): Stop {
  if (context.stopped) return {};
  return { signal: signal === policy.signal ? undefined : signal, abort$: abort$ === policy.abort$ ? undefined : abort$ };
}
