import type { Timeline, TimelineRequest } from './TimelineData.js';

/** Puts rows whose moments are of one clock on one axis that begins with the first of them. */
export function joinRequests(rows: readonly TimelineRequest[]): Timeline {
  const began = rows.reduce((first, { start }) => Math.min(first, start), Infinity);
  if (began === Infinity) return { began: 0, end: 0, requests: [] };
  const requests = rows.map((row) => shift(row, -began)).sort((a, b) => a.start - b.start);
  return { began, end: Math.max(...requests.map(({ end }) => end)), requests };
}

/** A row moved by some ms: later, or, with a negative number, earlier. */
export function shift(row: TimelineRequest, ms: number): TimelineRequest {
  const moved = <T extends { readonly start: number; readonly end: number }>(part: T): T => ({
    ...part,
    start: part.start + ms,
    end: part.end + ms,
  });
  return {
    ...moved(row),
    attempts: row.attempts.map((attempt) => ({
      ...moved(attempt),
      ...(attempt.headersAt !== undefined && { headersAt: attempt.headersAt + ms }),
    })),
    waits: row.waits.map(moved),
    ...(row.steps && { steps: row.steps.map(moved) }),
    ...(row.deadline !== undefined && { deadline: row.deadline + ms }),
  };
}

/**
 * One timeline of several, their rows on one axis: the place of each follows from the moment at which it began.
 *
 * @example
 * forkJoin([timeline(a$, { label: 'a' }), timeline(b$, { label: 'b' })]).subscribe((both) => console.log(renderMarbles(joinTimelines(both))));
 *
 * @param timelines of one process, or of one virtual time: monotonic clocks of different machines do not compare
 */
export function joinTimelines(timelines: readonly Timeline[]): Timeline {
  return joinRequests(timelines.flatMap(({ began, requests }) => requests.map((row) => shift(row, began))));
}
