import { causes } from '../causes.js';

/** Errors of the callers' own bodies, for as long as they live. */
const errors = new WeakSet<object>();

/** Marks the error of a body that the caller made: whatever its shape, it is no failure of the network. */
export function ofCaller(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) errors.add(error);
  return error;
}

/** Whether an error is that of the caller's own body function or stream, or was made of one. */
export function isOfCaller(error: unknown): boolean {
  return causes(error).some((each) => errors.has(each));
}
