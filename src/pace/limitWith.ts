import { defer, type MonoTypeOperatorFunction, Observable, Subscription, tap } from 'rxjs';
import { acquire, type AcquireOptions } from './acquire.js';
import { answerOf } from './answerOf.js';
import type { Ask, Limiter, Permit } from './Limiter.js';
import { requireAsk } from './requireAsk.js';
import { requireLimiter } from './requireLimiter.js';

/** How the work of a limiter waits, and what it tells. */
export interface LimitOptions<T> extends AcquireOptions {
  /** What it did cost after all, read from a value that tells; corrects the ask's `cost`. */
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
  requireLimiter('limitWith', limiter);
  requireAsk(ask);
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

/** What `work` gives under a permit of `limiter`; the permit is released when `work` ends or is unsubscribed, after it. */
export function whileHeld<T>(limiter: Limiter, ask: Ask, options: AcquireOptions, work: (permit: Permit) => Observable<T>): Observable<T> {
  return new Observable((subscriber) => {
    // Torn down in this order: what a permit held back must not begin before the work under it has stopped.
    const working = new Subscription();
    subscriber.add(working);
    const begin = (permit: Permit): void => {
      const held = defer(() => work(permit)).subscribe({
        next: (value) => subscriber.next(value),
        // Released first: whoever sees the end may ask for the next permit.
        error: (error: unknown) => {
          permit.release();
          subscriber.error(error);
        },
        complete: () => {
          permit.release();
          subscriber.complete();
        },
      });
      working.add(held);
    };
    subscriber.add(acquire(limiter, ask, options).subscribe({ next: begin, error: (error: unknown) => subscriber.error(error) }));
  });
}
