import { defaultPacer } from '../../client/createClient.js';
import { seeded } from '../../simulate/seeded.js';
import type { PlayedEnd } from './Explanation.js';
import { playScript, type ScriptInput } from './playScript.js';

/** Results of many runs of one script. Times are ms. */
export interface Distribution {
  readonly runs: number;
  /** Share of the runs that got a response, from 0 to 1. */
  readonly answered: number;
  /** Share of the runs that gave up. */
  readonly gaveUp: number;
  /** Share of the runs that the caller aborted. */
  readonly aborted: number;
  /** Share of the runs that asked for more answers than the script has. */
  readonly scriptEnded: number;
  /** Total time of all runs, whatever their end: the median, and the 95th percentile. */
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
  /** Mean number of requests sent by a run. */
  readonly attempts: number;
}

/**
 * Plays a script `runs` times, each with its own draws; the same draws every time, so that the numbers can be compared.
 *
 * @param paced true if the client has its default pacer
 */
export function distribution(input: ScriptInput, paced: boolean, runs: number): Distribution {
  const plays = Array.from({ length: runs }, (_, i) => {
    const random = seeded(i + 1);
    return playScript({ ...input, policy: { ...input.policy, random }, limiter: paced && defaultPacer({ random }) });
  });
  const times = plays.map(({ end }) => end).sort((a, b) => a - b);
  // The nearest rank: a time that one of the runs took.
  const percentile = (share: number): number => times[Math.ceil(share * runs) - 1] ?? 0;
  const share = (outcome: PlayedEnd): number => plays.filter((play) => play.outcome === outcome).length / runs;
  return {
    runs,
    answered: share('answered'),
    gaveUp: share('gave-up'),
    aborted: share('aborted'),
    scriptEnded: share('script-ended'),
    p50: percentile(0.5),
    p95: percentile(0.95),
    longest: percentile(1),
    attempts: plays.reduce((sum, { hits }) => sum + hits.length, 0) / runs,
  };
}
