import { printable } from '../printable.js';
import type { RequestSummary } from '../RequestSummary.js';

const BRAND: unique symbol = Symbol.for('coldfetch.error');

/** Options of every error of coldfetch. */
export interface ColdfetchErrorOptions {
  /** Error that led to this one. */
  readonly cause?: unknown;
  /** The request that failed. */
  readonly request?: RequestSummary | undefined;
  /** Lines below the message that show the place of a mistake; `printableLines` makes them safe to print. */
  readonly excerpt?: string;
}

/**
 * The base of coldfetch's errors. Guards (`isHttpError(...)`, ...) test a brand shared by all copies of the library, never `instanceof` or
 * `name`, so they work across realms and bundles.
 *
 * Messages hold method, origin, path and status: no query, no secret. They are `printable`: neither a server nor a file name can control a
 * terminal through them. `request` is not enumerable, so that logging an error prints no credentials.
 */
export abstract class ColdfetchError extends Error {
  /** The request that failed, where there was one. Not enumerable. */
  declare readonly request: RequestSummary | undefined;
  declare readonly [BRAND]: string;

  constructor(kind: string, message: string, options: ColdfetchErrorOptions = {}) {
    const { excerpt } = options;
    const shown = printable(message) + (excerpt === undefined ? '' : `\n${excerpt}`);
    super(shown, 'cause' in options ? { cause: options.cause } : undefined);
    hidden(this, 'name', kind);
    hidden(this, BRAND, kind);
    hidden(this, 'request', options.request);
  }

  /** Name, message and enumerable fields; the request redacted. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)), request: this.request?.toJSON() };
  }
}

/** Defines a property that neither logs nor `JSON.stringify` show. */
export function hidden(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

/** Hides a property even from an `inspect` that shows hidden ones. */
export function hiddenGetter(target: object, key: PropertyKey, get: () => unknown): void {
  Object.defineProperty(target, key, { get, configurable: true });
}

/** True if `value` is an error of coldfetch; with `kind`, of that class. */
export function hasBrand(value: unknown, kind?: string): boolean {
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false;
  return kind === undefined || value[BRAND] === kind;
}

/** True if `value` is any error of coldfetch, of whichever copy or realm. */
export function isColdfetchError(value: unknown): value is ColdfetchError {
  return hasBrand(value);
}

/** Makes `target` pass for `error`: guards accept it, and it has the fields of `error`, none of them enumerable. */
export function rebrand<E extends object>(target: E, error: ColdfetchError): E {
  for (const key of [BRAND, 'request', 'code', 'unsent'] as const) {
    if (key in error) hidden(target, key, (error as unknown as Record<PropertyKey, unknown>)[key]);
  }
  return target;
}
