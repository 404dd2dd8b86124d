/** Errors of the callers' own bodies, for as long as they live. */
const errors = new WeakSet<object>();

/** Marks an error of a body that the caller made: whatever its shape, it is no failure of the network. */
export function ofCaller(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) errors.add(error);
  return error;
}

/** True if an error is that of the caller's own body function or stream, or was caused by one. */
export function isOfCaller(error: unknown): boolean {
  return causes(error).some((each) => errors.has(each));
}

/** The fields of an error that say more than its class. */
export interface Cause {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
}

/** Most errors of a chain that are looked at: the chain may be a circle. */
const MOST = 5;

/** An error and its chain of causes, outermost first, five errors at most. */
export function causes(error: unknown): Cause[] {
  const found: Cause[] = [];
  for (let next = error; typeof next === 'object' && next !== null && found.length < MOST; next = (next as Cause).cause) found.push(next);
  return found;
}

/** The `code` of an error, as Node and its packages give it: `'ENOENT'`, say; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
