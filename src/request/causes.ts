/** The fields of an error that say more than its class. */
export interface Cause {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
}

/** The most errors that are looked at: a chain may be a circle. */
const MOST = 5;

/** An error and what led to it, outermost first: itself, its `cause`, the cause of that, ..., five at most. */
export function causes(error: unknown): Cause[] {
  const found: Cause[] = [];
  for (let next = error; typeof next === 'object' && next !== null && found.length < MOST; next = (next as Cause).cause) found.push(next);
  return found;
}
