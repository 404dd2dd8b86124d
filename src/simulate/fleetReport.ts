import type { FleetRun } from './fleet.js';
import type { Limit } from './servers.js';

/** Score of a fleet's run. */
export interface FleetScore {
  /** Shards that lost an upload. */
  readonly lost: number;
  /** End of the last shard, relative to the earliest that the limit allows; where one window is enough, in s. */
  readonly end: number;
  /** End of the last shard, in s. */
  readonly seconds: number;
  /** Requests sent for each success. */
  readonly sent: number;
  /** Requests that were sent before the time that a 429 had asked to wait for. */
  readonly early: number;
  /** Equality of the shards' times: 1 if all are the same (Jain's index). */
  readonly fairness: number;
  readonly mostRejections: number;
}

/** Scores a run against a fixed window. */
export function score(run: FleetRun, { limit, window }: Limit): FleetScore {
  const { arrivals, ends, succeeded, lost, early, mostRejections } = run;
  const last = Math.max(...ends);
  const windows = Math.ceil(succeeded / limit) - 1;
  const sum = ends.reduce((a, b) => a + b, 0);
  const squares = ends.reduce((a, b) => a + b * b, 0);
  return {
    lost,
    end: windows > 0 ? last / (windows * window) : last / 1000,
    seconds: last / 1000,
    sent: arrivals.length / succeeded,
    early,
    fairness: sum ** 2 / (ends.length * squares),
    mostRejections,
  };
}

/** The mean of several runs' scores; of rejections the most, of failures the sum. */
export function summary(scores: readonly FleetScore[]): FleetScore {
  const mean = (of: (each: FleetScore) => number): number => scores.reduce((sum, each) => sum + of(each), 0) / scores.length;
  return {
    lost: mean((each) => each.lost),
    end: mean((each) => each.end),
    seconds: mean((each) => each.seconds),
    sent: mean((each) => each.sent),
    early: scores.reduce((sum, each) => sum + each.early, 0),
    fairness: mean((each) => each.fairness),
    mostRejections: Math.max(...scores.map((each) => each.mostRejections)),
  };
}

/** Requests and 429s over time, as plain text: a line for each part of the run. */
export function plot({ arrivals }: FleetRun, { parts = 24, width = 60 } = {}): string {
  const end = arrivals.reduce((last, { at }) => Math.max(last, at), 0) + 1;
  const counts = Array.from({ length: parts }, () => ({ good: 0, rejected: 0 }));
  for (const { at, status } of arrivals) {
    const count = counts[Math.floor((at / end) * parts)];
    if (count) count[status === 429 ? 'rejected' : 'good']++;
  }
  const most = Math.max(...counts.map(({ good, rejected }) => good + rejected), 1);
  // Every event shows, however small its share.
  const bar = (count: number, sign: string): string => sign.repeat(Math.ceil((count / most) * width));
  return counts
    .map(({ good, rejected }, i) => {
      const from = `${Math.round((i * end) / parts / 1000)} s`.padStart(8);
      return `${from} |${bar(good, '#')}${bar(rejected, 'x')}`;
    })
    .join('\n');
}

const TITLES = ['', 'lost', 'end', 'sent', 'early', 'Jain', '429s'];

/** A table of named scores, as plain text. */
export function table(rows: readonly (readonly [name: string, score: FleetScore])[]): string {
  const cells = rows.map(([name, { lost, end, sent, early, fairness, mostRejections }]) => [
    name,
    lost.toFixed(1),
    end.toFixed(3),
    sent.toFixed(3),
    String(early),
    fairness.toFixed(2),
    String(mostRejections),
  ]);
  const lines = [TITLES, ...cells];
  const widths = TITLES.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '))
    .join('\n');
}
