import { concat, defer, EMPTY, filter, from, type Observable, of, take } from 'rxjs';
import type { Classify, Verdict } from '../RetryPolicy.js';

/**
 * One `classify` hook made of several: they are asked in order, and the first that has an opinion decides; those behind it are not asked.
 *
 * @example
 * retryAfter({ ...policies.api, classify: firstVerdict(quotaExhausted, shouldRetryHeader) });
 */
export function firstVerdict(...hooks: readonly Classify[]): (...asked: Parameters<Classify>) => Observable<Verdict> {
  return (failure, peek) =>
    concat(...hooks.map((hook) => defer(() => toObservable(hook(failure, peek))))).pipe(
      filter((verdict: Verdict | null) => verdict !== undefined && verdict !== null),
      take(1),
    );
}

function toObservable(verdict: ReturnType<Classify> | null): Observable<Verdict> {
  if (verdict === undefined || verdict === null) return EMPTY;
  return typeof verdict === 'object' ? from(verdict) : of(verdict);
}
