import type { LogMatchers } from './MarbleExpectation.js';

/**
 * The types of the matchers for `expect` itself. This namespace is where vitest and `@types/jest` both look for matchers of others, so that
 * neither has to be installed. With the `expect` of `@jest/globals` declare them yourself:
 *
 *     declare module 'expect' {
 *       interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<R> {}
 *     }
 */
declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends LogMatchers<R> {}
  }
}
