import type { RequestValues } from './scripted/requestFields.js';

/** Matchers of logs: inside a `marbles` block through `expect$`, and after it through `expect` anywhere. */
export interface LogMatchers<R = void> {
  /**
   * Expects a `cold` or `hot` observable to be subscribed, `^`, and unsubscribed, `!`, as in the diagrams: one for each subscription, in
   * their order.
   *
   * @example
   * expect$(source$).toHaveSubscriptions(['^ 4ms !', '3005ms ^ 4ms !']);
   */
  toHaveSubscriptions(marbles: string | readonly string[]): R;
  /**
   * Expects the requests of a server or a scripted fetch at the moments of the diagram; each is a letter.
   *
   * @param values what the letters stand for: method and path (`'GET /users'`), or the fields that count; without them any request
   * @example
   * expect$(server).toHaveRequests('a 3004ms b', { a: 'GET /users', b: { method: 'GET', headers: { 'x-attempt': '1' } } });
   */
  toHaveRequests(marbles: string, values?: RequestValues): R;
  /**
   * Expects the wait events of an observable, or of an array: the source of each delay, and its length.
   *
   * @example
   * expect$(http.get('/users', { observe: 'events' })).toWait(['retry-after 3s', 'backoff 2s']);
   */
  toWait(waits: readonly unknown[]): R;
}

/** Matchers of an observable in a `marbles` block. */
export interface MarbleMatchers extends Pick<LogMatchers, 'toHaveSubscriptions' | 'toWait'> {
  /**
   * Expects an observable to emit, complete and fail as in the diagram.
   *
   * @param values what the letters stand for, asymmetric matchers too; without them, for themselves. A letter that they lack is an error.
   * @param error what `#` stands for: a class, some fields (`{ status: 429 }`), an equal error, an asymmetric matcher; without it `'error'`,
   * which is what `cold('#')` makes
   * @example
   * expect$(source$).toBeMarbles('5ms 3s 5ms (a|)', { a: expect.objectContaining({ status: 200 }) });
   * expect$(source$).toBeMarbles('30s #', undefined, TimeoutError);
   */
  toBeMarbles(marbles: string, values?: Readonly<Record<string, unknown>>, error?: unknown): void;
  /**
   * Expects an observable to fail, at any moment, with an error of a class, with some fields, or equal to this one; a `cause` likewise.
   * Without an argument any error will do: `not.toFailWith()` expects no failure.
   *
   * @example
   * expect$(source$).toFailWith({ status: 503 });
   * expect$(source$).toFailWith({ code: 'ECONNRESET', cause: TypeError });
   */
  toFailWith(...error: [error?: unknown]): void;
}

/** The {@link MarbleMatchers} and, behind `not`, their opposites. */
export interface MarbleExpectation extends MarbleMatchers {
  readonly not: MarbleMatchers;
}

/** Matchers of a server or a scripted fetch in a `marbles` block. */
export type RequestMatchers = Pick<LogMatchers, 'toHaveRequests'>;

/** The {@link RequestMatchers} and, behind `not`, their opposites. */
export interface RequestExpectation extends RequestMatchers {
  readonly not: RequestMatchers;
}
