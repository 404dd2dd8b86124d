import type { Limiter } from '../Limiter.js';
import type { Waiter } from './Waiter.js';

/** The one queue of a limiter. */
export interface LimiterQueue {
  /** Number of waiters. */
  readonly size: number;
  /**
   * Puts a waiter in its line. Its permit may come before this returns.
   *
   * @param maxQueued most waiters in its line, beyond which it is refused with a `LimiterError`
   * @returns withdraws it while it waits
   */
  enter(waiter: Waiter, maxQueued?: number): () => void;
}

const queues = new WeakMap<Limiter, LimiterQueue>();

/** The queue that a limiter has brought, if it has. Who only looks for it carries none of its code. */
export function knownQueue(limiter: Limiter): LimiterQueue | undefined {
  return queues.get(limiter);
}

/** Remembers the queue of a limiter. */
export function rememberQueue(limiter: Limiter, queue: LimiterQueue): LimiterQueue {
  queues.set(limiter, queue);
  return queue;
}
