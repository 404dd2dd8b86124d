import { reply } from 'coldfetch/testing';

export const USERS = 'https://api.test/users';

/** A 429 that says when to come again: seconds, or a date. */
export const tooMany = (after: string | number): Response => reply(429, { headers: { 'retry-after': String(after) } });

/** An error as foreign clients make them: a status and header fields. */
export function failure(status: number, headers: Readonly<Record<string, string>> = {}): Error {
  return Object.assign(new Error(`${status}`), { status, headers: new Headers(headers) });
}

/** Throws, where an expression is wanted. */
export function throwNow(error: Error): never {
  throw error;
}
