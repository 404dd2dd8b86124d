import { Observable } from 'rxjs';
import type { Interceptor } from '../request/Handler.js';
import type { GaveUpEvent, RetryEvent } from '../request/HttpEvent.js';
import { isAbortReason } from '../transport/takeUntilAborted.js';

/** Counts of {@link metrics} so far: plain data. */
export interface MetricsSnapshot {
  /** Requests sent by the operations that succeeded: number of operations, number of requests, and their mean. */
  readonly attemptsPerSuccess: {
    readonly count: number;
    readonly total: number;
    /** Requests for each success; `undefined` before the first success. */
    readonly mean: number | undefined;
  };
  /** Retries by the rule that made them. */
  readonly retries: Readonly<Record<string, number>>;
  /** Operations that failed because a rule's count was used up. */
  readonly exhaustedRetries: number;
  /** Operations that failed because their deadline passed, or would have. */
  readonly exhaustedDeadlines: number;
  /** Operations that failed for another reason. */
  readonly failed: number;
  /** Operations that were unsubscribed or aborted before their end. */
  readonly aborted: number;
}

/** A few counters; see {@link metrics}. */
export interface Metrics {
  /** Counts the operations of a client: the first of its `interceptors`, so that it sees what callers see. */
  readonly interceptor: Interceptor;
  /** Counts retries and failures where there is no client, as `notify`; `notify` receives no successes and aborts. */
  readonly next: (event: RetryEvent) => void;
  /** The counts so far; later events do not change it. */
  readonly snapshot: () => MetricsSnapshot;
}

/**
 * Counters that show whether retrying works: requests sent for each success, retries by rule, used-up counts and passed deadlines apart. An
 * error rate alone hides a client that succeeds at the third attempt every time.
 *
 * Use one of the two: the client's interceptor, or `notify`; both on one client would count twice.
 *
 * @example
 * const counts = metrics();
 * const http = createClient({ interceptors: [counts.interceptor] });
 * source$.pipe(retryAfter({ notify: counts }));
 * console.log(counts.snapshot());
 */
export function metrics(): Metrics {
  const attempts = { count: 0, total: 0 };
  const ends = { exhaustedRetries: 0, exhaustedDeadlines: 0, failed: 0, aborted: 0 };
  const retries = new Map<string, number>();
  const addRetry = (kind: string): void => void retries.set(kind, (retries.get(kind) ?? 0) + 1);

  const interceptor: Interceptor = (request, next) =>
    new Observable((subscriber) => {
      let kind: string | undefined;
      let end: keyof typeof ends | undefined = 'aborted';
      subscriber.add(() => {
        if (end) ends[end]++;
      });
      subscriber.add(
        next(request).subscribe({
          next: (event) => {
            if (event.type === 'wait' && event.kind !== 'gate') kind = event.kind;
            else if (event.type === 'gave-up') end = endOf(event);
            else if (event.type === 'response') {
              attempts.count++;
              attempts.total += event.attempt;
              end = undefined;
            } else if (event.type === 'sent') {
              if (kind !== undefined) addRetry(kind);
              kind = undefined;
            }
            subscriber.next(event);
          },
          error: (error: unknown) => {
            // A failure without a report was not retried by any operation: it has no reason.
            if (end === 'aborted' && !isAbortReason(error)) end = 'failed';
            subscriber.error(error);
          },
          complete: () => subscriber.complete(),
        }),
      );
    });

  return {
    interceptor,
    next: (event) => {
      if (event.type === 'gave-up') ends[endOf(event)]++;
      else if (event.kind !== 'gate' && !event.updated) addRetry(event.kind);
    },
    snapshot: () => ({
      attemptsPerSuccess: { ...attempts, mean: attempts.count === 0 ? undefined : attempts.total / attempts.count },
      retries: Object.fromEntries(retries),
      ...ends,
    }),
  };
}

function endOf({ reason }: GaveUpEvent): 'exhaustedRetries' | 'exhaustedDeadlines' | 'failed' {
  if (reason === 'exhausted') return 'exhaustedRetries';
  return reason === 'deadline' ? 'exhaustedDeadlines' : 'failed';
}
