/** Something expected in a `marbles` block did not happen. Its stack begins at the line of the spec that expected it. */
export class ExpectationError extends Error {
  override readonly name = 'AssertionError';

  constructor(message: string, site: Site) {
    super(message);
    if (site.frames !== '') this.stack = `${this.name}: ${message}\n${site.frames}`;
  }
}

/** A place in a spec: the frames of a stack, innermost first; empty where the engine cannot tell. */
export interface Site {
  readonly frames: string;
}

/** Where `callee` was called from. */
export function siteOf(callee: (...args: never) => unknown): Site {
  const trace = new Error();
  // Engines other than V8 lack it; theirs begin one frame further in.
  (Error as Partial<typeof Error>).captureStackTrace?.(trace, callee);
  const stack = trace.stack ?? '';
  return { frames: stack.slice(stack.search(/^\s*at /m)) };
}
