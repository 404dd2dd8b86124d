import type { HeadersLike } from './HeadersLike.js';

/**
 * Reads from a response's headers how long its server asks the client to wait.
 *
 * A source is pure and does not throw: a missing or malformed field gives `undefined`, and the next source is asked. Write your own where a
 * vendor has its own field. Name the vendor's unit in the source's name or comment: the same field holds epoch seconds at one vendor and
 * seconds from now at another.
 *
 * @example
 * // Example Corp. sends `x-example-wait` in tenths of a second.
 * const exampleWait: DelaySource = (headers) => {
 *   const tenths = headers.get('x-example-wait');
 *   return tenths !== null && /^\d{1,9}$/.test(tenths) ? Number(tenths) * 100 : undefined;
 * };
 *
 * @param headers the response's headers
 * @param now the wall clock, in ms since 1970
 * @returns milliseconds from now, finite, 0 or more; `undefined` if the headers do not say
 */
export type DelaySource = (headers: HeadersLike, now: number) => number | undefined;
