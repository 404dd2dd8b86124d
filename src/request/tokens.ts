import { HttpContextToken } from './HttpContext.js';
import type { GiveUpReason } from './HttpEvent.js';

/** Who waits for the answer: somebody who looks at a screen, nobody in particular, or nobody at all. */
export type Priority = 'interactive' | 'normal' | 'background';

/**
 * What pace tells retry about one attempt. Retry puts a fresh record on every attempt, pace writes into it before the attempt's error
 * passes.
 */
export interface Pacing {
  /**
   * The attempt ended with a 429 whose wait belongs to the gate: retry subscribes again at once, without a timer or spread of its own.
   * `'opening'`: it was the request by which the gate looked whether it may open, and uses no count.
   */
  gate?: 'owned' | 'opening';
  /** The attempt waits at a gate, or was refused there: it has not been sent. */
  parked?: boolean;
  /** For how long the operation has waited at gates so far, in ms; retry hands it from attempt to attempt. */
  waited?: number | undefined;
  /** Pace ended the operation, and why: the error is final. */
  refused?: GiveUpReason;
}

/** The moment of the `elapsed()` clock at which the whole operation ends. `Infinity`, the default: none. */
export const DEADLINE = new HttpContextToken<number>('deadline', () => Infinity);

/** Which of the waiting requests goes first; `'normal'` by default. */
export const PRIORITY = new HttpContextToken<Priority>('priority', () => 'normal');

/** What the request is expected to cost in units of the limiter (tokens of a model, say); 1 by default. */
export const COST = new HttpContextToken<number>('cost', () => 1);

/** When the operation began, a moment of the `elapsed()` clock; `undefined` where nobody retries. */
export const BEGAN = new HttpContextToken<number | undefined>('began', () => undefined);

/** How many 429s the operation has received so far: of the waiting requests those with the fewest go first. */
export const REJECTIONS = new HttpContextToken<number>('rejections', () => 0);

/** How the attempt before this one failed; `undefined` on the first. It becomes the `cause` when the wait at a gate is given up. */
export const LAST_ERROR = new HttpContextToken<unknown>('last error', () => undefined);

/** What pace tells retry about this attempt; `undefined` where nobody retries. */
export const PACING = new HttpContextToken<Pacing | undefined>('pacing', () => undefined);

/** The id that all attempts of an operation share; `undefined` where the client makes none. */
export const REQUEST_ID = new HttpContextToken<string | undefined>('request id', () => undefined);

/** Hears the header fields of each attempt as they are sent, behind the last station; `undefined` where nobody wants to know. */
export const ON_SEND = new HttpContextToken<((headers: Headers) => void) | undefined>('on send', () => undefined);

/**
 * Whether the request goes to an origin that the client's header fields are not meant for: as across a redirect, only safelisted ones are
 * sent then, whatever its stations add.
 */
export const FOREIGN = new HttpContextToken<boolean>('foreign', () => false);
