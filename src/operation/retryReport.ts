import { causes } from '../request/errors/causes.js';
import type { GiveUpReason } from '../request/HttpEvent.js';

/** Reason for which an operation gave up, and its work until then. */
export interface RetryReport {
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** Milliseconds from the subscription to giving up. */
  readonly elapsed: number;
  readonly reason: GiveUpReason;
  /** Retries made, by rule. */
  readonly retries: Readonly<Record<string, number>>;
  /** Milliseconds spent waiting, each from a failure (or from the first ask for a permit) to the next send. */
  readonly waited: number;
  /** The failure about which a hook threw. */
  readonly cause?: unknown;
}

interface Filed {
  readonly report: RetryReport;
  /** Number of sends, of all operations, before the report was filed. */
  readonly sends: number;
}

const reports = new WeakMap<object, Filed>();

/** Number of sends of all operations: shows whether a report was filed while an attempt was under way. */
const sends = { count: 0 };

/**
 * Report of retrying on an error that it let through (or on the Response that `asFetch` resolved with): attempts, time, reason.
 *
 * Undefined for errors that no operation saw, for aborts, and for primitives; the `gave-up` event reports primitives too.
 *
 * @example
 * catchError((error) => {
 *   const report = retryReport(error);
 *   console.error(report ? `gave up (${report.reason}) after ${report.attempts} attempts` : 'failed');
 *   throw error;
 * });
 */
export function retryReport(error: unknown): RetryReport | undefined {
  return canCarry(error) ? reports.get(error)?.report : undefined;
}

/** Counts a send. @returns its place in the order of all sends */
export function countSend(): number {
  return ++sends.count;
}

/**
 * The report that an operation inside of an attempt has filed on an error, or on one of its causes.
 *
 * @param send the attempt, by {@link countSend}
 */
export function reportSince(send: number, error: unknown): RetryReport | undefined {
  return causes(error)
    .map((each) => reports.get(each))
    .find((filed) => filed !== undefined && filed.sends > send)?.report;
}

/** Files the report on `from` under `to` as well; gives `to`. */
export function copyReport<T extends object>(from: object, to: T): T {
  const filed = reports.get(from);
  if (filed) reports.set(to, filed);
  return to;
}

/** Files a report under an error, and under the answer that it carries. */
export function attachReport(report: RetryReport, ...subjects: readonly unknown[]): void {
  for (const subject of subjects) if (canCarry(subject)) reports.set(subject, { report, sends: sends.count });
}

function canCarry(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
