/** Whether `value` is a promise, of whichever library, or what stands in for one: something with a `then`. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
