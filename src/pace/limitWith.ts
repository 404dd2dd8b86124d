import { defer, type MonoTypeOperatorFunction, Observable, tap } from 'rxjs';
import { checkOptions, FUNCTION } from '../request/checkOptions.js';
import type { Ask, Limiter, Permit } from './Limiter.js';
import { answerOf } from './outcomes.js';
import { checkAsking, requireAsk, WAITING } from './queue/checkAsk.js';
import { queueOf } from './queue/LimiterQueue.js';
import type { AcquireOptions } from './queue/Waiter.js';

/** Options of {@link limitWith}: the wait of an ask, and the cost of its request. */
export interface LimitOptions<T> extends AcquireOptions {
  /** Actual cost, read from a value that names it; corrects the ask's `cost`. */
  readonly cost?: ((value: T) => number | undefined) | undefined;
}

/**
 * Subscribes to the source when `limiter` lets it, and holds the permit until the source ends or is unsubscribed.
 *
 *     source                                    --a|
 *     source.pipe(limitWith(concurrency(1)))    --a|      the first
 *     source.pipe(limitWith(concurrency(1)))    -----a|   the next
 *
 * The limiter learns from what the source gives: a value or an error with a `status` (and `headers`) counts as that answer, and so, as a
 * 200, does a value that tells its cost; completing without such a value counts as 200, any other error as no answer. Each subscription is
 * one ask; see `acquire` for how asks wait and fail.
 *
 * @example
 * from(files).pipe(mergeMap((file) => upload(file).pipe(limitWith(limiter, { url, priority: 'background' }))));
 * complete$.pipe(limitWith(tokens, { cost: 2000 }, { cost: ({ usage }) => usage.total_tokens }));
 */
export function limitWith<T>(limiter: Limiter, ask: Ask = {}, options: LimitOptions<T> = {}): MonoTypeOperatorFunction<T> {
  checkAsking('limitWith', limiter, ask);
  checkOptions('limitWith', options, { rules: { ...WAITING, cost: FUNCTION } });
  return (source) =>
    whileHeld(limiter, ask, options, (permit) =>
      source.pipe(
        tap({
          next: (value) => {
            const cost = options.cost?.(value);
            const answer = answerOf(value) ?? (cost === undefined ? undefined : { status: 200 });
            if (answer) permit.settle({ ...answer, cost });
          },
          error: (error: unknown) => void permit.settle(answerOf(error) ?? { status: 0, error }),
          complete: () => void permit.settle({ status: 200 }),
        }),
      ),
    );
}

/** Output of `work` under a permit of `limiter`; the permit is released when `work` ends or is unsubscribed, after it. */
export function whileHeld<T>(
  limiter: Limiter,
  ask: Ask,
  { maxQueued, onWait: estimated }: AcquireOptions,
  work: (permit: Permit) => Observable<T>,
): Observable<T> {
  return new Observable((subscriber) => {
    requireAsk(ask);
    const granted = (permit: Permit): void => {
      const release = (): void => permit.release();
      // The permit is released before the end is seen: its observer may ask for the next permit.
      const work$ = defer(() => work(permit)).pipe(tap({ error: release, complete: release }));
      if (!subscriber.closed) work$.subscribe(subscriber);
      // The permit is released after the work is torn down: work held back by the permit must not begin before that.
      subscriber.add(release);
    };
    return queueOf(limiter).enter({ ask, granted, refused: (error) => subscriber.error(error), estimated }, maxQueued);
  });
}
