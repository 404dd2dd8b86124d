import type { Site } from './site.js';

/** Something expected in a `marbles` block did not happen. Its stack begins at the line of the spec that expected it. */
export class ExpectationError extends Error {
  // Not AssertionError: Jest takes that name for an error of node:assert, and makes a comparison of its own from it.
  override readonly name = 'ExpectationError';

  constructor(message: string, site: Site) {
    super(message);
    if (site.frames !== '') this.stack = `${this.name}: ${message}\n${site.frames}`;
  }
}
