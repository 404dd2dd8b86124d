import type { FleetRun } from './fleet.js';
import type { Limit } from './servers/Server.js';

/** How good a fleet's run was. */
export interface FleetScore {
  /** Shards that lost an upload. */
  readonly lost: number;
  /** When the last shard was done, by the earliest that the limit allows; where one window is enough, in s. */
  readonly end: number;
  /** When the last shard was done, in s. */
  readonly seconds: number;
  /** Requests sent for each success. */
  readonly sent: number;
  /** Requests before the time a 429 had asked to wait for. */
  readonly early: number;
  /** How alike the shards' times were: 1 if all the same (Jain's index). */
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

/** The mean of several runs' scores; of rejections the most, of what must not happen the sum. */
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
