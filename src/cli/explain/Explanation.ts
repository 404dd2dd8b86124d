import type { GiveUpReason } from '../../request/HttpEvent.js';
import type { Timeline } from '../../timeline/TimelineData.js';

/** How a play ended: with an answer; giving up; by the caller; or with a request for which the script has no answer. */
export type PlayedEnd = 'answered' | 'gave-up' | 'aborted' | 'script-ended';

/** Course of a pipeline through a script of answers. Moments are ms of virtual time. */
export interface Played {
  readonly outcome: PlayedEnd;
  /** When each request was sent. */
  readonly hits: readonly number[];
  /** When it was over. */
  readonly end: number;
  /** The status of the answer that it ended with. */
  readonly status?: number;
  /** The status of the error that it ended with. */
  readonly error?: number;
  /** Why it gave up. */
  readonly reason?: GiveUpReason;
  readonly timeline: Timeline;
}

/** One thing that happened, and why. */
export interface ExplainedStep {
  /** When, in ms. */
  readonly at: number;
  /** The attempt that it is about. */
  readonly attempt: number;
  /** Cause of the step: a status, or the event that came in place of an answer. */
  readonly after: string;
  /** A sentence without its full stop. */
  readonly text: string;
}

/** Sentence that says what happened, and why. */
export interface Explanation extends Played {
  /** The waits, and giving up. */
  readonly steps: readonly ExplainedStep[];
  /** How it ended, in a sentence. */
  readonly conclusion: string;
}
