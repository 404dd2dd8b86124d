import type { GiveUpReason } from '../../request/HttpEvent.js';
import type { Timeline } from '../../timeline/TimelineData.js';

/** End of a play: a response; giving up; the caller; or a request for which the script has no answer. */
export type PlayedEnd = 'answered' | 'gave-up' | 'aborted' | 'script-ended';

/** Course of a pipeline through a script of answers. Moments are ms of virtual time. */
export interface Played {
  readonly outcome: PlayedEnd;
  /** Moment at which each request was sent. */
  readonly hits: readonly number[];
  /** Moment of the end. */
  readonly end: number;
  /** Status of the final response. */
  readonly status?: number;
  /** Status of the final error. */
  readonly error?: number;
  /** Reason for giving up. */
  readonly reason?: GiveUpReason;
  readonly timeline: Timeline;
}

/** One event, and its reason. */
export interface ExplainedStep {
  /** Moment of the event, in ms. */
  readonly at: number;
  /** Number of the attempt that the step is about. */
  readonly attempt: number;
  /** Cause of the step: a status, or the event in place of a response. */
  readonly after: string;
  /** A sentence without its full stop. */
  readonly text: string;
}

/** Sentence about the event and its reason. */
export interface Explanation extends Played {
  /** Waits, and giving up. */
  readonly steps: readonly ExplainedStep[];
  /** Outcome of the play, in a sentence. */
  readonly conclusion: string;
}
