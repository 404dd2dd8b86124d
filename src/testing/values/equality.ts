import { isObservable } from 'rxjs';
import { comparable, isOpaque, kindOf } from './comparable.js';

/** True if a received value is what was expected; asymmetric matchers may be anywhere in the expected one. */
export type Equals = (received: unknown, expected: unknown) => boolean;

/** Additional rule of equality, as vitest and Jest take it; undefined leaves the decision to other rules. */
export type Tester = (this: TesterContext, a: unknown, b: unknown, testers: Tester[]) => boolean | undefined;

export interface TesterContext {
  equals(a: unknown, b: unknown, testers?: Tester[]): boolean;
}

/** Context that a test framework gives its matchers. In vitest `isNot` may be undefined. */
export interface MatcherContext extends TesterContext {
  readonly isNot?: boolean | undefined;
  readonly customTesters?: Tester[];
  readonly utils?: { readonly iterableEquality?: unknown };
}

/** The framework's own equality, with rules for the values that it cannot compare. */
export function equalityOf(context: MatcherContext): Equals {
  const iterables = context.utils?.iterableEquality as Tester | undefined;
  const testers = [...(context.customTesters ?? []), byBytes, byFields(), byIdentity, ...(iterables ? [iterables] : [])];
  return (received, expected) => context.equals(received, expected, testers);
}

// Bytes are compared here: a framework takes seconds for those of an upload.
const byBytes: Tester = (a, b) => {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  const [left, right] = [a, b].map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  return kindOf(a) === kindOf(b) && left?.length === right?.length && left?.every((byte, index) => byte === right?.[index]);
};

function byFields(): Tester {
  // Errors may be their own cause, by a detour at least.
  const underway = new Map<unknown, unknown>();
  return function (a, b, testers) {
    const left = comparable(a);
    const right = comparable(b);
    if (!left && !right) return undefined;
    if (!left || !right || kindOf(a) !== kindOf(b)) return false;
    if (a === b || underway.get(a) === b) return true;
    underway.set(a, b);
    const equal = this.equals(left, right, testers);
    underway.delete(a);
    return equal;
  };
}

// Observables and blobs compare by identity: an observable's fields do not show what it emits, and a framework takes two blobs of one size
// for equal.
const byIdentity: Tester = (a, b) => ((isObservable(a) && isObservable(b)) || (isOpaque(a) && isOpaque(b)) ? a === b : undefined);

/**
 * True if an error is as expected.
 *
 * @param expected a class: an instance of it; a plain object: an error that has these fields, each compared likewise (`{ status: 429, cause:
 *   TypeError }`); an error: one of the same class, message, fields and cause; anything else: equal
 */
export function matchesError(received: unknown, expected: unknown, equals: Equals): boolean {
  if (isClass(expected)) return received === expected || received instanceof expected;
  if (!isPlain(expected) || isPlain(received) || typeof received !== 'object' || received === null) return equals(received, expected);
  return Object.entries(expected).every(([name, field]) => matchesError((received as Record<string, unknown>)[name], field, equals));
}

/** True if `value` can be the class of an error; asymmetric matchers are none. */
export function isClass(value: unknown): value is new () => object {
  return typeof value === 'function' && 'prototype' in value && typeof value.prototype === 'object';
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
