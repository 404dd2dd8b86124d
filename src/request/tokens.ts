import { HttpContextToken } from './HttpContext.js';

/** Urgency of a request: somebody looks at a screen, nobody in particular waits, or nobody at all. */
export type Priority = 'interactive' | 'normal' | 'background';

/** Moment of the `elapsed()` clock at which the operation that an attempt belongs to ends; `Infinity`: none. */
export const DEADLINE = /* @__PURE__ */ new HttpContextToken<number>('deadline', () => Infinity);

/** Which of the waiting requests goes first; `'normal'` by default. */
export const PRIORITY = /* @__PURE__ */ new HttpContextToken<Priority>('priority', () => 'normal');

/** Expected cost of the request in units of the limiter, tokens of a model for example; 1 by default. */
export const COST = /* @__PURE__ */ new HttpContextToken<number>('cost', () => 1);

/** The id that all attempts of an operation share; `undefined` where the client makes none. */
export const REQUEST_ID = /* @__PURE__ */ new HttpContextToken<string | undefined>('request id', () => undefined);

/** Observer of the header fields of each attempt as they are sent, after the last interceptor; `undefined`: nobody asks. */
export const ON_SEND = /* @__PURE__ */ new HttpContextToken<((headers: Headers) => void) | undefined>('on send', () => undefined);

/** True if anybody sees the events of an attempt, beside the answer's head and the answer; without, the progress of bytes is not told. */
export const WATCHED = /* @__PURE__ */ new HttpContextToken<boolean>('watched', () => true);

/**
 * True if the request goes to an origin that the client's header fields are not meant for: as across a redirect, only safelisted ones are
 * sent then, whatever its interceptors add.
 */
export const FOREIGN = /* @__PURE__ */ new HttpContextToken<boolean>('foreign', () => false);
