import { isUsageError, UsageError } from '../request/errors/UsageError.js';

/** A place in a spec: the frames of a stack, innermost first; empty where the engine cannot tell. */
export interface Site {
  readonly frames: string;
}

/** Expectation of a block that was not met, and its place. */
export interface Failure {
  readonly message: string;
  readonly site: Site;
}

/** Place from which `callee` was called. */
export function siteOf(callee: (...args: never) => unknown): Site {
  const trace = new Error();
  // Engines other than V8 lack `captureStackTrace`; there the first frames are the kit's.
  (Error as Partial<typeof Error>).captureStackTrace?.(trace, callee);
  const stack = trace.stack ?? '';
  const start = stack.search(/^ *at /m);
  return { frames: start < 0 ? '' : stack.slice(start) };
}

/** A mistake in a spec's use of the kit, shown at its own line. */
export function misuse(message: string, site: Site): UsageError {
  return showAt(new UsageError(message), site);
}

/** Points a mistake that was found inside the kit at the spec. */
export function pointingAt<T>(site: Site, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw isUsageError(error) ? showAt(error, site) : error;
  }
}

function showAt(error: UsageError, { frames }: Site): UsageError {
  if (frames !== '') error.stack = `${error.name}: ${error.message}\n${frames}`;
  return error;
}
