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
   * @param maxQueued most waiters in the line, beyond which this one is refused with a `LimiterError`
   * @returns withdraws the waiter while it waits
   */
  enter(waiter: Waiter, maxQueued?: number): () => void;
  /** Begins the admission of an operation's attempts. */
  admit<T>(options: AdmissionOptions<T>, operation: AdmittedOperation, policy: RefusalPolicy | undefined): Admission<T>;
}

const queues = new WeakMap<Limiter, LimiterQueue>();

/** The registered queue of a limiter, if there is one. A lookup carries none of the queue's code into a bundle. */
export function knownQueue(limiter: Limiter): LimiterQueue | undefined {
  return queues.get(limiter);
}

/**
 * The registered queue of a limiter.
 *
 * @param place names the function that was called with it
 * @throws UsageError where there is none
 */
export function requireQueue(place: string, limiter: Limiter): LimiterQueue {
  const queue = knownQueue(limiter);
  if (!queue) throw new UsageError(`${place}: the limiter brings no queue; give allOf(limiter), which does`);
  return queue;
}

/** Registers the queue of a limiter. */
export function rememberQueue(limiter: Limiter, queue: LimiterQueue): LimiterQueue {
  queues.set(limiter, queue);
  return queue;
}
