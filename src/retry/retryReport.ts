import type { GiveUpReason } from '../request/HttpEvent.js';

/** Why an operation gave up, and what it had done by then. */
export interface RetryReport {
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Milliseconds from the subscription to giving up. */
  readonly elapsed: number;
  readonly reason: GiveUpReason;
  /** Retries made, by rule. */
  readonly retries: Readonly<Record<string, number>>;
  /** Milliseconds spent waiting, as planned. */
  readonly waited: number;
  /** The failure that a hook threw about. */
  readonly cause?: unknown;
}

const reports = new WeakMap<object, RetryReport>();

/**
 * What retrying knows of an error that it let through (or of the Response that `asFetch` resolved with): attempts, time, reason.
 *
 * Undefined for errors that it never saw, for aborts, and for primitives; the `gave-up` event tells of those too.
 *
 * @example
 * catchError((error) => {
 *   const report = retryReport(error);
 *   console.error(report ? `gave up (${report.reason}) after ${report.attempts} attempts` : 'failed');
 *   throw error;
 * });
 */
export function retryReport(error: unknown): RetryReport | undefined {
  return canCarry(error) ? reports.get(error) : undefined;
}

/** Files what is known of `from` under `to` as well; gives `to`. */
export function copyReport<T extends object>(from: object, to: T): T {
  const report = reports.get(from);
  if (report) reports.set(to, report);
  return to;
}

/** Files a report under an error, and under the answer that it carries. */
export function fileReport(report: RetryReport, ...subjects: readonly unknown[]): void {
  for (const subject of subjects) if (canCarry(subject)) reports.set(subject, report);
}

function canCarry(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
