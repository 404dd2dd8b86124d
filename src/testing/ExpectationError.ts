import type { Site } from './site.js';

/** An expectation of a `marbles` block was not met. The stack begins at the line of the spec with the expectation. */
export class ExpectationError extends Error {
  // The name AssertionError is avoided: Jest takes it for an error of node:assert, and makes a comparison of its own from it.
  override readonly name = 'ExpectationError';

  constructor(message: string, site: Site) {
    super(message);
    if (site.frames !== '') this.stack = `${this.name}: ${message}\n${site.frames}`;
  }
}
