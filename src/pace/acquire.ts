import { Observable } from 'rxjs';
import { checkOptions } from '../request/checkOptions.js';
import type { AcquireOptions } from './queue/Waiter.js';
import { checkAsking, WAITING } from './queue/checkAsk.js';
import type { Ask, Limiter, Permit } from './Limiter.js';
import { queueOf } from './queue/LimiterQueue.js';

/**
 * Waits for a turn at `limiter`, then emits the permit, and stays open: the permit is the subscription.
 *
 *     acquire(concurrency(1), ask)   p---   until unsubscribed
 *     acquire(concurrency(1), ask)   ----p  then the next
 *
 * All who ask the same limiter stand in one queue: those with the fewest 429s first, then by priority, then by age (an ask of low
 * priority rises with its age: 10 s of waiting make up for `'normal'`, a minute for `'background'`). Unsubscribing withdraws the ask, or
 * releases the permit. One timer serves all that wait.
 *
 * Errors: a `LimiterError` where the queue is full, more is asked for than is ever granted, or `maxWait` is over or cannot be kept; a
 * `DeadlineError` where the ask's deadline passes or cannot be kept.
 *
 * @example
 * acquire(limiter, { url }).pipe(switchMap((permit) => upload(url).pipe(tap((answer) => permit.settle(answer)))), take(1));
 */
export function acquire(limiter: Limiter, ask: Ask = {}, options: AcquireOptions = {}): Observable<Permit> {
  checkAsking('acquire', limiter, ask);
  checkOptions('acquire', options, { rules: WAITING });
  const { maxQueued, onWait } = options;
  return new Observable((subscriber) => {
    const withdraw = queueOf(limiter).enter(
      {
        ask,
        granted: (permit) => {
          subscriber.add(() => permit.release());
          subscriber.next(permit);
        },
        refused: (error) => subscriber.error(error),
        estimated: onWait,
      },
      maxQueued,
    );
    subscriber.add(withdraw);
  });
}
