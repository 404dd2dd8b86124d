/** Tag of a value, as its class gives it: `Map`, `FormData`, ...; `Object` for those that give none. The same in every realm. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Whether `value` is an object that has all of these methods. */
export function hasMethods(value: unknown, ...methods: readonly PropertyKey[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    methods.every((name) => typeof (value as Record<PropertyKey, unknown>)[name] === 'function')
  );
}
