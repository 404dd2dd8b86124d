import type { FoundAnswer } from '../../request/answerIn.js';
import type { Failure } from '../Failure.js';

/** Fields that errors of HTTP clients have in common; all of them may be missing. */
export interface ForeignError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly response?: unknown;
  readonly request?: unknown;
  readonly config?: unknown;
  /** Cause of an Angular error of status 0. */
  readonly error?: unknown;
}

/** The parts of a failure that a reader finds in an error. */
export type ReadFailure = Pick<Failure, 'type' | 'code'>;

/** Reads the errors of one client; undefined for those of others. An answer, where there is one, has the status 0: nothing arrived. */
export type ForeignReader = (error: ForeignError, answer: FoundAnswer | undefined) => ReadFailure | undefined;
