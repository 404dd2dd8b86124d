import { Observable, type ObservableInput, retry } from 'rxjs';
import type { ResolvedPolicy } from '../retry/resolvePolicy.js';
import { takeUntilAborted } from '../transport/takeUntilAborted.js';
import { afterFailure } from './afterFailure.js';
import { attempt } from './attempt.js';
import { FailureBody } from './FailureBody.js';
import { onceOnline } from './onceOnline.js';
import type { OperationContext } from './OperationContext.js';
import type { RunningOperation } from './RunningOperation.js';
import { OperationLog } from './OperationLog.js';
import { refusalPolicy } from './refusalPolicy.js';

/**
 * All attempts of one request: subscribes to `send(1)`, after a failure that the policy takes to `send(2)`, and so on, with waits between.
 *
 *     send(1)   5ms #
 *     send(2)          5ms (a|)
 *     emit      5ms w                  w: the wait event
 *     output    5ms 3s 5ms (a|)
 *
 * Each attempt asks for a permit, where there is a limiter. A failure is read once; its rule plans the wait, and a timer sleeps, or the gate
 * that the failure has closed. Errors are the only channel of retry, and all state is the subscription's own. It tells of each wait before it
 * begins, and of giving up before the error. Unsubscribing, also while it tells of a wait, leaves no timer.
 *
 * Errors: the last failure, unchanged; LimiterError or DeadlineError where nothing was sent; DeadlineError when the deadline passes in flight;
 * the error of a hook that throws.
 */
export function operation<T>(
  send: (n: number, deadline: number) => ObservableInput<T>,
  policy: ResolvedPolicy<T>,
  context: OperationContext<T>,
): Observable<T> {
  return new Observable((subscriber) => {
    const log = new OperationLog(policy.deadline);
    const { admitter } = context;
    const running: RunningOperation<T> = {
      send: (n) => {
        const { output } = running;
        return output && policy.resume ? policy.resume(output.last, log.failed?.failure.error) : send(n, log.deadline);
      },
      policy,
      context,
      log,
      admission: admitter?.queue.admit(admitter, log, refusalPolicy(policy, log)),
      body: new FailureBody(),
      output: undefined,
    };
    onceOnline(attempt(running), running)
      .pipe(retry({ delay: (error) => afterFailure(running, error) }), takeUntilAborted(policy))
      .subscribe(subscriber);
    subscriber.add(() => running.body.release());
  });
}
