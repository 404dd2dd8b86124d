import {
  catchError,
  defaultIfEmpty,
  defer,
  finalize,
  from,
  identity,
  map,
  mergeMap,
  type Observable,
  type ObservableInput,
  of,
  retry,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import { isColdfetchError } from '../request/errors/ColdfetchError.js';
import { DeadlineError } from '../request/errors/DeadlineError.js';
import type { GiveUpReason, RetryEvent } from '../request/HttpEvent.js';
import { originOf } from '../request/originOf.js';
import type { AttemptInfo, Pacing } from '../request/tokens.js';
import { elapsed, waitUntil, wallClock } from '../time.js';
import { discardBody } from '../transport/discardBody.js';
import { isAbortReason, type Stop, stopOn } from '../transport/stopOn.js';
import { type Decision, decide } from './decide.js';
import type { Failure } from './Failure.js';
import { peekBody } from './peekBody.js';
import type { Tally } from './planWait.js';
import { readFailure } from './readFailure.js';
import type { ResolvedPolicy } from './resolvePolicy.js';
import type { Verdict } from './RetryPolicy.js';
import { fileReport } from './retryReport.js';

/** What the operation's events say of it. */
export interface OperationInfo {
  readonly requestId?: string | undefined;
  /** Where its requests go; by default what its failures say. */
  readonly url?: string | undefined;
  /** Whether somebody else ends the operation on the signal and `abort$` of its requests. */
  readonly stopped?: boolean;
  /** Hears of waits and of giving up, in order with the values. */
  readonly tell: (event: RetryEvent) => void;
}

/** One moment by both clocks. */
interface Moments {
  readonly elapsed: number;
  readonly wall: number;
}

/**
 * The heart of retrying: subscribes to `send(1)`, after a failure that the policy takes to `send(2)`, and so on, with waits between.
 *
 *     send(1)   5ms #
 *     send(2)          5ms (a|)
 *     tell      5ms w                  w: the wait event
 *     output    5ms 3s 5ms (a|)
 *
 * Errors are the only channel of retry, and all state is the subscription's own. It tells of each wait before it begins, and of giving up
 * before the error, which goes through unchanged. Unsubscribing, also while it tells of a wait, leaves no timer.
 *
 * Errors: the last failure; DeadlineError when the deadline passes in flight; what a hook throws.
 */
export function attempts<T>(
  send: (n: number, info: AttemptInfo) => ObservableInput<T>,
  policy: ResolvedPolicy<T>,
  operation: OperationInfo,
): Observable<T> {
  return defer(() => {
    const began = elapsed();
    const deadline = began + policy.deadline;
    const tallies = new Map<string, Tally>();
    let attempt = 0;
    let rejections = 0;
    let waited = 0;
    let lastError: unknown;
    let pacing: Pacing = {};
    let output: { readonly last: T } | undefined;
    let undiscarded: Response | undefined;
    const discard = (): void => {
      discardBody(undiscarded);
      undiscarded = undefined;
    };

    const about = (failure?: Failure): Partial<Pick<RetryEvent, 'status' | 'requestId' | 'origin'>> =>
      defined({
        status: failure?.status,
        requestId: operation.requestId,
        origin: originOf(operation.url ?? failure?.request?.url ?? ''),
      });

    const giveUp = (reason: GiveUpReason, error: unknown, failure?: Failure, kind?: string, cause?: unknown): void => {
      const retries = Object.fromEntries([...tallies].map(([name, tally]) => [name, tally.retries]));
      if (failure?.response === undiscarded) undiscarded = undefined;
      const report = {
        attempts: pacing.parked === true ? attempt - 1 : attempt,
        elapsed: elapsed() - began,
        reason,
        retries,
        waited,
        ...defined({ cause }),
      };
      fileReport(report, error, failure?.response);
      operation.tell({
        type: 'gave-up',
        attempt: report.attempts,
        reason,
        elapsed: report.elapsed,
        error,
        ...defined({ kind }),
        ...about(failure),
      });
    };

    const carryOut = (decision: Decision, failure: Failure, failed: Moments): Observable<unknown> => {
      const { error } = failure;
      if (decision.then === 'give-up') {
        giveUp(decision.reason, error, failure, decision.kind);
        return throwError(() => error);
      }
      undiscarded = failure.response;
      // The gate may still refuse the ask, and this failure is then the outcome, its response readable.
      if (decision.then === 'send') return of(decision.kind);
      discard();
      const { delay, source, capped } = decision.plan;
      waited += delay;
      const times = { delay, until: failed.wall + delay, elapsed: elapsed() - began };
      operation.tell({ type: 'wait', attempt, ...times, kind: decision.kind, source, capped, error, ...about(failure) });
      return waitUntil(failed.elapsed + delay);
    };

    const judge = (failure: Failure, verdict: Verdict, failed: Moments): Decision => {
      if (pacing.refused !== undefined) return { then: 'give-up', reason: pacing.refused };
      const times = { left: deadline - failed.elapsed, now: failed.wall };
      return decide(policy, { failure, verdict, tallies, pacing, output: output !== undefined, ...times });
    };

    // What ends the operation anyhow is not subscribed anew for each wait.
    const unheard = ({ signal, abort$ }: Stop = {}): Stop =>
      operation.stopped
        ? {}
        : { signal: signal === policy.signal ? undefined : signal, abort$: abort$ === policy.abort$ ? undefined : abort$ };

    const onError = (error: unknown): Observable<unknown> => {
      if (isAbortReason(error) || (policy.signal?.aborted === true && error === policy.signal.reason)) return throwError(() => error);
      const failure = readFailure(error, policy.request);
      // Delays run from here: the time in which a hook looks at the body is part of the wait, not on top of it.
      const failed = { elapsed: elapsed(), wall: wallClock() };
      lastError = error;
      if (failure.status === 429) rejections++;
      const verdict$ = defer(() => toObservable(policy.classify?.(failure, () => peekBody(failure))));
      return verdict$.pipe(
        defaultIfEmpty(undefined),
        map((verdict) => judge(failure, verdict, failed)),
        catchError((thrown: unknown) => {
          giveUp('hook-failed', thrown, failure, undefined, error);
          return throwError(() => thrown);
        }),
        mergeMap((decision) => carryOut(decision, failure, failed)),
        stopOn(isColdfetchError(error) ? unheard(error.request) : {}),
      );
    };

    const attempt$ = defer(() => {
      attempt++;
      pacing = { waited: pacing.waited };
      return output && policy.resume
        ? policy.resume(output.last, lastError)
        : send(attempt, { began, deadline, rejections, lastError, pacing });
    });
    const late = (): Observable<never> =>
      waitUntil(deadline).pipe(
        map(() => {
          const message = `The deadline of ${policy.deadline} ms passed before an answer came`;
          const error = new DeadlineError(message, 'deadline', defined({ cause: lastError }));
          giveUp('deadline', error);
          throw error;
        }),
      );
    return attempt$.pipe(
      tap((value) => {
        discard();
        if (policy.isProgress?.(value) !== true) output = { last: value };
      }),
      retry({ delay: onError }),
      policy.deadline === Infinity ? identity : takeUntil(late()),
      stopOn(policy),
      finalize(discard),
    );
  });
}

// A hook in JavaScript says null for "no opinion", too.
function toObservable(verdict: Verdict | null | ObservableInput<Verdict>): Observable<Verdict> {
  return typeof verdict === 'object' && verdict !== null ? from(verdict) : of(verdict ?? undefined);
}

/** Without the fields that are undefined. */
function defined<F extends object>(fields: F): { [K in keyof F]?: Exclude<F[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof F]?: Exclude<F[K], undefined>;
  };
}
