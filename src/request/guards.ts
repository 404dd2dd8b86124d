/** True if `value` has fields: neither a primitive nor `null`. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True if `value` is a promise of any library, or a stand-in for one: an object with a `then`. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Tag of a value, as its class gives it: `Map`, `FormData`, ...; `Object` for those that give none. The same in every realm. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** True if `value` is an object that has all of these methods. */
export function hasMethods(value: unknown, ...methods: readonly PropertyKey[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    methods.every((name) => typeof (value as Record<PropertyKey, unknown>)[name] === 'function')
  );
}
