import type { TimelineRequest } from '../TimelineData.js';
import { attemptsOf } from './kinds.js';

/** Room that shapes need to be told apart, in px. */
export interface LeastRoom {
  readonly attempt: number;
  readonly wait: number;
}

/** Places of moments on the axis. An instant at which something begins and ends has a width of its own. */
export interface TimeScale {
  /** Left edge of an instant: the end of shapes that end then. */
  readonly before: (moment: number) => number;
  /** Right edge of an instant: the start of shapes that begin then. */
  readonly after: (moment: number) => number;
}

/** A piece of the axis: the time between two neighbouring moments, or one moment. */
interface Stretch {
  weight: number;
  least: number;
}

/** Shape that needs room on the axis. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly least: number;
}

/** Largest share of the axis that least room may use up; beyond it all least room shrinks. */
const MOST_LEAST = 0.75;

/**
 * The axis that all rows share. It is not linear, or an attempt of 50 ms would vanish beside a wait of a minute. Each attempt and each wait
 * asks for a width that goes with the square root of its time (4 times the time, twice the width), a moment gets the largest width that a
 * row asks for there, and shapes that would be too narrow get the `least` room. Order is kept, and rows stay aligned.
 *
 * @param until the last moment to show
 * @param width of the whole axis, in px
 */
export function timeScale(requests: readonly TimelineRequest[], until: number, width: number, least: LeastRoom): TimeScale {
  const parts = partsOf(requests, until, least);
  const moments = [...new Set([0, until, ...parts.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const index = new Map(moments.map((moment, i) => [moment, i]));
  const at = (moment: number): number => index.get(moment) ?? 0;
  const instants = instantRooms(requests, least);
  const weights = weightsOf(parts, moments, at);
  // Stretch 2i is the moment i itself, 2i + 1 the time from it to the next.
  const stretches: Stretch[] = moments.flatMap((moment, i) => [
    { weight: 0, least: instants.get(moment) ?? 0 },
    { weight: weights[i] ?? 0, least: 0 },
  ]);
  // Room given to one shape moves the others, so the pass is repeated a few times; shapes that end together are given room once.
  for (let round = 0; round < 6 && leastOf(stretches) < MOST_LEAST * width; round++) {
    const edges = layOut(stretches, width);
    const widths = new Map<Stretch, number>();
    for (const { start, end, least: room } of parts) {
      const i = 2 * at(end) - 1;
      const stretch = stretches[i];
      const missing = room - ((edges[i + 1] ?? 0) - (edges[2 * at(start) + 1] ?? 0));
      if (end === start || !stretch || missing < 0.5) continue;
      widths.set(stretch, Math.max(widths.get(stretch) ?? 0, (edges[i + 1] ?? 0) - (edges[i] ?? 0) + missing));
    }
    for (const [stretch, room] of widths) stretch.least = room;
  }
  const edges = layOut(stretches, width);
  const between = (moment: number, side: 0 | 1): number => {
    const exact = index.get(moment);
    if (exact !== undefined) return edges[2 * exact + side] ?? width;
    const next = moments.findIndex((other) => other > moment);
    if (next === -1) return width;
    const [from = 0, to = 1] = [moments[next - 1], moments[next]];
    const [left = 0, right = width] = [edges[2 * next - 1], edges[2 * next]];
    return left + ((right - left) * (moment - from)) / (to - from);
  };
  return { before: (moment) => between(moment, 0), after: (moment) => between(moment, 1) };
}

function partsOf(requests: readonly TimelineRequest[], until: number, least: LeastRoom): Part[] {
  return requests.flatMap(({ start, end, attempts, waits, deadline = 0 }) => [
    { start, end: start, least: 0 },
    { start: end, end, least: 0 },
    { start: Math.min(deadline, until), end: Math.min(deadline, until), least: 0 },
    ...attempts.map((attempt) => ({ start: attempt.start, end: attempt.end, least: least.attempt })),
    ...waits.filter((wait) => wait.end > wait.start).map((wait) => ({ start: wait.start, end: wait.end, least: least.wait })),
  ]);
}

/** Room for attempts that took no time at all, as they do in virtual time, by moment: the most that one row has there. */
function instantRooms(requests: readonly TimelineRequest[], least: LeastRoom): Map<number, number> {
  const rooms = new Map<number, number>();
  for (const request of requests) {
    const counts = new Map<number, number>();
    for (const { start, end } of attemptsOf(request)) if (start === end) counts.set(start, (counts.get(start) ?? 0) + 1);
    for (const [moment, count] of counts) rooms.set(moment, Math.max(rooms.get(moment) ?? 0, count * least.attempt));
  }
  return rooms;
}

/** Width of the time after each moment: the share of a part, or the square root of time in which nothing happens. */
function weightsOf(parts: readonly Part[], moments: readonly number[], at: (moment: number) => number): number[] {
  const weights: number[] = [];
  // A shorter part asks for more width per ms, so parts are taken from the shortest; `next` leads past the stretches that are taken
  // already.
  const next = Array.from({ length: moments.length + 1 }, (_, i) => i);
  const follow = (i: number): number => next[i] ?? i;
  const free = (from: number): number => {
    let i = from;
    while (follow(i) !== i) {
      next[i] = follow(follow(i));
      i = follow(i);
    }
    return i;
  };
  const spans = parts.filter(({ start, end }) => end > start).sort((a, b) => a.end - a.start - (b.end - b.start));
  for (const { start, end } of spans) {
    const [perMs, last] = [1 / Math.sqrt(end - start), at(end)];
    for (let i = free(at(start)); i < last; i = free(i + 1)) {
      weights[i] = gapAfter(moments, i) * perMs;
      next[i] = i + 1;
    }
  }
  return moments.map((_, i) => weights[i] ?? Math.sqrt(gapAfter(moments, i)));
}

function gapAfter(moments: readonly number[], i: number): number {
  const moment = moments[i] ?? 0;
  return (moments[i + 1] ?? moment) - moment;
}

function leastOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { least }) => sum + least, 0);
}

/** The edges of the stretches, from 0 to `width`: each by its weight, none narrower than its least room. */
function layOut(stretches: readonly Stretch[], width: number): number[] {
  const shrink = Math.min(1, (MOST_LEAST * width) / leastOf(stretches));
  const widthAt = (unit: number, { least, weight }: Stretch): number => Math.max(least * shrink, weight * unit);
  const total = (unit: number): number => stretches.reduce((sum, stretch) => sum + widthAt(unit, stretch), 0);
  let [low, high] = [0, width];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (total(middle) > width) high = middle;
    else low = middle;
  }
  const edges = [0];
  let edge = 0;
  for (const stretch of stretches) edges.push((edge += widthAt(low, stretch)));
  return edges;
}
