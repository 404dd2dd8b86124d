import { from, NEVER, Observable, type ObservableInput, type Subscriber, throwError } from 'rxjs';
import { retryAfter } from '../headers/sources/retryAfter.js';
import type { Outcome, Permit, ResponseOutcome } from '../pace/Limiter.js';
import type { Admission } from '../pace/queue/Admission.js';
import { DeadlineError } from '../request/errors/DeadlineError.js';
import { isUsageError } from '../request/errors/UsageError.js';
import { readHint } from '../retry/computeDelay.js';
import { findRule } from '../retry/rules.js';
import { isRateLimited } from '../retry/isRateLimited.js';
import type { ResolvedPolicy } from '../retry/resolvePolicy.js';
import { elapsed, waitUntil, wallClock } from '../time.js';
import { takeUntilAborted } from '../transport/takeUntilAborted.js';
import { isAbort, type RunningOperation, unobservedAbort } from './RunningOperation.js';
import type { OperationLog } from './OperationLog.js';
import { countSend } from './retryReport.js';
import { waitEvent } from './events.js';

/**
 * One attempt of an operation: asks the limiter, if there is one, for a permit, subscribes to the request, and reads a failure once. It settles
 * the permit at the head of a good answer, else at the end, and releases it behind the end.
 *
 * Errors: the request's own; a LimiterError or DeadlineError where it is not sent; a DeadlineError where the deadline passes in flight.
 */
export function attempt<T>(operation: RunningOperation<T>): Observable<T> {
  const { admission } = operation;
  return new Observable((subscriber) => {
    if (admission) admit(operation, admission, subscriber);
    else begin(operation, subscriber);
  });
}

function begin<T>(operation: RunningOperation<T>, subscriber: Subscriber<T>, permit?: Permit): void {
  const { send, policy, log, admission, body } = operation;
  log.endWait();
  log.sent++;
  admission?.clear();
  body.release();
  const order = countSend();
  let head: ResponseOutcome | undefined;
  const settle = (outcome: Outcome): ReturnType<Permit['settle']> => permit?.settle(outcome);
  if (log.deadline < Infinity) subscriber.add(waitUntil(log.deadline).subscribe(() => subscriber.error(late(log, policy))));
  subscriber.add(
    started(() => send(log.sent)).subscribe({
      next: (value) => {
        const answer = permit && hooked(log, () => admission?.answerOf(value));
        if (answer) head = answer;
        if (answer && isGood(answer)) settle(answer);
        if (hooked(log, () => policy.isProgress?.(value)) !== true) operation.output = { last: value };
        if (log.givenUp) subscriber.error(log.givenUp.error);
        else subscriber.next(value);
      },
      error: (error: unknown) => {
        if (!isAbort(error, policy)) recordFailure(operation, error, order, { head, settle });
        permit?.release();
        subscriber.error(error);
      },
      complete: () => {
        if (head) settle(head);
        permit?.release();
        subscriber.complete();
      },
    }),
  );
  // The permit is released after the request is torn down: a request held back by the permit must not begin before that.
  if (permit) subscriber.add(() => permit.release());
}

/** The request as it was made; an error where making it threw. */
function started<T>(send: () => ObservableInput<T>): Observable<T> {
  try {
    return from(send());
  } catch (error) {
    return throwError(() => error);
  }
}

/** Reads a failure, tells the limiter of it, and notes it in the log. */
function recordFailure<T>(
  { policy, log, context }: RunningOperation<T>,
  error: unknown,
  send: number,
  { head, settle }: { readonly head: ResponseOutcome | undefined; readonly settle: Permit['settle'] },
): void {
  const [at, wall] = [elapsed(), wallClock()];
  const failure = context.failures.read(error, policy.request);
  const found = hooked(log, () => findRule(policy, failure));
  const limited = failure.status === 429 || (found !== undefined && isRateLimited(failure));
  if (limited) log.rejections++;
  const sources = found ? found.rule.sources : limited ? { retryAfter } : undefined;
  const hint = hooked(log, () => readHint(sources, failure.headers, wall));
  const { status = 0, headers } = failure;
  const hold = settle({ status, headers, cost: head?.cost, error, delay: hint?.delay ?? null, source: hint?.source, limited });
  log.failed = { failure, found, hint, hold, at, wall, send };
}

/** Waits in the limiter's queue for a permit. */
function admit<T>(operation: RunningOperation<T>, admission: Admission<T>, subscriber: Subscriber<T>): void {
  const { log, context } = operation;
  const { failed } = log;
  const ask = hooked(log, () => admission.ask());
  if (!ask) {
    subscriber.error(log.givenUp?.error);
    return;
  }
  log.enterGate();
  const stopping =
    failed &&
    NEVER.pipe(takeUntilAborted(unobservedAbort(operation, failed.failure.error))).subscribe({
      error: (reason: unknown) => subscriber.error(reason),
      complete: () => subscriber.complete(),
    });
  subscriber.add(stopping);
  if (subscriber.closed) return;
  const withdraw = admission.enter(ask, {
    granted: (permit) => {
      stopping?.unsubscribe();
      // A subscriber may unsubscribe when it gets the wait.
      if (subscriber.closed) permit.release();
      else begin(operation, subscriber, permit);
    },
    refused: (error, reason) => {
      // The failure of the attempt before is the outcome where the limiter ends the wait.
      log.givenUp ??= { reason: reason ?? 'terminal', error: failed && reason ? failed.failure.error : error };
      subscriber.error(log.givenUp.error);
    },
    waits: (wait) => {
      context.emit(waitEvent({ ...wait, since: wallClock(), kind: failed?.found?.kind ?? 'gate' }, log, context));
    },
  });
  subscriber.add(withdraw);
}

/** True if the head of a response already shows that the request has passed. */
function isGood({ status }: ResponseOutcome): boolean {
  return status < 300 || status === 304;
}

/** Runs a hook; what it throws ends the operation. */
function hooked<R>(log: OperationLog, hook: () => R): R | undefined {
  try {
    return hook();
  } catch (error) {
    log.givenUp ??= { reason: isUsageError(error) ? 'terminal' : 'hook-failed', error };
    return undefined;
  }
}

function late<T>(log: OperationLog, { deadline }: ResolvedPolicy<T>): DeadlineError {
  const cause = log.failed && { cause: log.failed.failure.error };
  const error = new DeadlineError(`The deadline of ${deadline} ms passed before an answer came`, cause);
  log.givenUp = { reason: 'deadline', error };
  return error;
}
