import { UsageError } from '../request/errors/UsageError.js';
import { matchers } from './matchers.js';

/** The common part of vitest's `expect`, Jest's and Bun's. */
export interface FrameworkExpect {
  (value: unknown): unknown;
  /** Adds matchers. */
  extend(matchers: object): void;
  /** State of the current test; missing in Bun. */
  getState?(): { readonly assertionCalls?: number };
}

/** Key under which vitest keeps its `expect` for code that cannot import it, with and without globals. */
const VITEST = Symbol.for('expect-global');

/** Key under which {@link registerMatchers} keeps an `expect` that is no global. */
const REGISTERED = Symbol.for('coldfetch.testing.expect');

/**
 * The test framework's `expect`: the one that was registered, a global one (Jest, vitest with globals), vitest's own, or that of `bun:test`.
 *
 * It is looked up, not imported: `vitest` cannot be resolved in a Jest project, and a top-level `await import()` cannot be transformed to
 * CommonJS, which most Jest projects do.
 */
export function findExpect(): FrameworkExpect | undefined {
  const places = globalThis as unknown as Record<PropertyKey, unknown>;
  return [places[REGISTERED], places.expect, places[VITEST], bunExpect()].find(isExpect);
}

/** The framework's `expect` with the matchers registered; see {@link findExpect}. */
export function requireExpect(): FrameworkExpect {
  const expect = findExpect();
  if (!expect) {
    throw new UsageError(
      "marbles found no expect: run it in vitest, Jest or bun test; where expect is no global (injectGlobals: false), call registerMatchers(expect) with the one of '@jest/globals'",
    );
  }
  if (!('toBeMarbles' in expect)) expect.extend(matchers);
  return expect;
}

/**
 * Registers the matchers of `coldfetch/testing` with an `expect`, and has `marbles` use it. `coldfetch/testing/setup` does so with the one it
 * finds; call it yourself where there is none to find, in Jest with `injectGlobals: false`.
 *
 * @example
 * import { expect } from '@jest/globals';
 * registerMatchers(expect);
 */
export function registerMatchers(expect: FrameworkExpect): void {
  expect.extend(matchers);
  Object.defineProperty(globalThis, REGISTERED, { value: expect, configurable: true });
}

function isExpect(value: unknown): value is FrameworkExpect {
  return typeof value === 'function' && 'extend' in value;
}

/** Bun's `expect` is a global in test files only, so the module is asked. */
function bunExpect(): unknown {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  return (process?.getBuiltinModule?.('bun:test') as { readonly expect?: unknown } | undefined)?.expect;
}
