import { joinRequests, shift } from './joinRequests.js';
import type { Timeline } from './TimelineData.js';

/**
 * One timeline of several, their rows on one axis: where each stands follows from when it began.
 *
 * @example
 * forkJoin([timeline(a$, { label: 'a' }), timeline(b$, { label: 'b' })]).subscribe((both) => console.log(renderMarbles(joinTimelines(both))));
 *
 * @param timelines of one process, or of one virtual time: monotonic clocks of different machines do not compare
 */
export function joinTimelines(timelines: readonly Timeline[]): Timeline {
  return joinRequests(timelines.flatMap(({ began, requests }) => requests.map((row) => shift(row, began))));
}
