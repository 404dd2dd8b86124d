import type { Site } from './site.js';

/** Something expected in a `marbles` block did not happen. Its stack begins at the line of the spec that expected it. */
export class ExpectationError extends Error {
  // Test runners show errors of this name as failed expectations.
  override readonly name = 'AssertionError';

  constructor(message: string, site: Site) {
    super(message);
    if (site.frames !== '') this.stack = `${this.name}: ${message}\n${site.frames}`;
  }
}
