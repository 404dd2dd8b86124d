import { defaultPacer } from '../../client/createClient.js';
import { seeded } from '../../simulate/seeded.js';
import type { PlayedEnd } from './Explanation.js';
import { playScript, type ScriptInput } from './playScript.js';

/** Results of many runs of one script. Times are ms. */
export interface Distribution {
  readonly runs: number;
  /** The share of the runs that got an answer, from 0 to 1. */
  readonly answered: number;
  /** The share that gave up. */
  readonly gaveUp: number;
  /** The share that the caller aborted. */
  readonly aborted: number;
  /** The share that asked for more answers than the script has. */
  readonly scriptEnded: number;
  /** Total time, of all runs, whatever their end: the median, and what 95 of 100 did not exceed. */
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
  /** Requests sent by a run, on average. */
  readonly attempts: number;
}

/**
 * Plays a script `runs` times, each with its own draws; the same draws every time, so that the numbers can be compared.
 *
 * @param paced whether the client has the pacer that it has by default
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
