import { UsageError } from '../../request/errors/UsageError.js';
import type { Limiter } from '../Limiter.js';
import type { Admission } from './Admission.js';
import type { AdmissionOptions, AdmittedOperation, RefusalPolicy } from './AdmittedOperation.js';
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
  /** Begins the admission of an operation's attempts. */
  admit<T>(options: AdmissionOptions<T>, operation: AdmittedOperation, policy: RefusalPolicy | undefined): Admission<T>;
}

const queues = new WeakMap<Limiter, LimiterQueue>();

/** The queue that a limiter has brought, if it has. Who only looks for it carries none of its code. */
export function knownQueue(limiter: Limiter): LimiterQueue | undefined {
  return queues.get(limiter);
}

/**
 * The queue that a limiter has brought.
 *
 * @param place names the function that was called with it
 * @throws UsageError where it has none
 */
export function requireQueue(place: string, limiter: Limiter): LimiterQueue {
  const queue = knownQueue(limiter);
  if (!queue) throw new UsageError(`${place}: the limiter brings no queue; give allOf(limiter), which does`);
  return queue;
}

/** Remembers the queue of a limiter. */
export function rememberQueue(limiter: Limiter, queue: LimiterQueue): LimiterQueue {
  queues.set(limiter, queue);
  return queue;
}
