/** Fields of an object, those that are undefined left out. */
export type Known<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The fields of an object that are not undefined, in their order. */
export function known<T extends object>(fields: T): Known<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<T>;
}
