import { elapsed } from '../time.js';
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

/** What retry tells the stations behind it about one attempt of an operation. */
export interface AttemptInfo {
  /** When the operation began, a moment of the `elapsed()` clock. */
  readonly began: number;
  /** The moment of that clock at which the whole operation ends; `Infinity`: none. */
  readonly deadline: number;
  /** How many 429s it has received so far: of the waiting requests those with the fewest go first. */
  readonly rejections: number;
  /** How the attempt before this one failed; `undefined` on the first. It becomes the `cause` when the wait at a gate is given up. */
  readonly lastError: unknown;
  /** Where pace says whose wait a 429 is. */
  readonly pacing: Pacing;
}

/** What is known of the attempt that a request is; where nobody retries, of the first and only one. */
export const ATTEMPT = /* @__PURE__ */ new HttpContextToken<AttemptInfo>('attempt', () => ({
  began: elapsed(),
  deadline: Infinity,
  rejections: 0,
  lastError: undefined,
  pacing: {},
}));

/** Which of the waiting requests goes first; `'normal'` by default. */
export const PRIORITY = /* @__PURE__ */ new HttpContextToken<Priority>('priority', () => 'normal');

/** What the request is expected to cost in units of the limiter (tokens of a model, say); 1 by default. */
export const COST = /* @__PURE__ */ new HttpContextToken<number>('cost', () => 1);

/** The id that all attempts of an operation share; `undefined` where the client makes none. */
export const REQUEST_ID = /* @__PURE__ */ new HttpContextToken<string | undefined>('request id', () => undefined);

/** Hears the header fields of each attempt as they are sent, behind the last station; `undefined` where nobody wants to know. */
export const ON_SEND = /* @__PURE__ */ new HttpContextToken<((headers: Headers) => void) | undefined>('on send', () => undefined);

/**
 * Whether the request goes to an origin that the client's header fields are not meant for: as across a redirect, only safelisted ones are
 * sent then, whatever its stations add.
 */
export const FOREIGN = /* @__PURE__ */ new HttpContextToken<boolean>('foreign', () => false);
