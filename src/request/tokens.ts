import { HttpContextToken } from './HttpContext.js';

/** Urgency of a request: a person looks at a screen (`'interactive'`), work of no particular urgency, or work that nobody waits for. */
export type Priority = 'interactive' | 'normal' | 'background';

/** Moment of the `elapsed()` clock at which the operation that an attempt belongs to ends; `Infinity`: none. */
export const DEADLINE = /* @__PURE__ */ new HttpContextToken<number>('deadline', () => Infinity);

/** Rank of the request among those that wait; `'normal'` by default. */
export const PRIORITY = /* @__PURE__ */ new HttpContextToken<Priority>('priority', () => 'normal');

/** Expected cost of the request in units of the limiter, tokens of a model for example; 1 by default. */
export const COST = /* @__PURE__ */ new HttpContextToken<number>('cost', () => 1);

/** The id that all attempts of an operation share; `undefined` where the client makes none. */
export const REQUEST_ID = /* @__PURE__ */ new HttpContextToken<string | undefined>('request id', () => undefined);

/** Observer of the header fields of each attempt as they are sent, after the last interceptor; `undefined`: none. */
export const ON_SEND = /* @__PURE__ */ new HttpContextToken<((headers: Headers) => void) | undefined>('on send', () => undefined);

/** True if the events of an attempt are observed beyond the response and its head; otherwise the progress of bytes is not emitted. */
export const WATCHED = /* @__PURE__ */ new HttpContextToken<boolean>('watched', () => true);

/**
 * True if the request goes to an origin that the client's header fields are not meant for: only safelisted fields are sent then, as across
 * a redirect, whichever fields interceptors add.
 */
export const FOREIGN = /* @__PURE__ */ new HttpContextToken<boolean>('foreign', () => false);
