import { ApiError } from './ApiError.js';

/** Check of a JSON value's shape. `T` is the type of a value that passes. */
export interface Shape<T> {
  /** Faults, a sentence each; none if all is well. */
  readonly check: (value: unknown, path: string) => readonly string[];
  /** Type of a passing value; never set at run time. */
  readonly type?: T;
}

type ShapeType<S> = S extends Shape<infer T> ? T : never;

/** Most complaints about one body: it may have thousands of bad keys. */
const MOST_DETAILS = 20;

/** `value`, of the type that `shape` describes. @throws ApiError 400 with all complaints, at most 20 */
export function parse<T>(shape: Shape<T>, value: unknown): T {
  const details = shape.check(value, '');
  if (details.length > 0) throw new ApiError(400, 'Invalid parameters', details.slice(0, MOST_DETAILS));
  return value as T;
}

/** A string of at least `least` characters, of the `form` if one is given. */
export function text(least: number, form?: { readonly pattern: RegExp; readonly name: string }): Shape<string> {
  return rule(
    (value) => typeof value === 'string' && value.length >= least && (form?.pattern.test(value) ?? true),
    form?.name ?? (least > 0 ? 'a string that is not empty' : 'a string'),
  );
}

/** A number from `least` to `most`. */
export function numeric(least: number, most = Infinity): Shape<number> {
  return rule((value) => typeof value === 'number' && value >= least && value <= most, `a number, ${range(least, most)}`);
}

/** A whole number, `least` or more. */
export function whole(least: number): Shape<number> {
  return rule(
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least,
    `a whole number, ${range(least, Infinity)}`,
  );
}

/** `true` or `false`. */
export const flag: Shape<boolean> = rule((value) => typeof value === 'boolean', 'true or false');

/** Any JSON object. */
export const anyObject: Shape<Readonly<Record<string, unknown>>> = rule(isRecord, 'an object');

/** A value among `values`. */
export function oneOf<const T extends string>(values: readonly T[]): Shape<T> {
  return rule((value) => values.some((allowed) => allowed === value), `one of ${values.join(', ')}`);
}

/** `shape`, `null` or no value at all: the API takes unknown facts as `null`. */
export function optional<T>(shape: Shape<T>): Shape<T | null | undefined> {
  return { check: (value, path) => (value === null || value === undefined ? [] : shape.check(value, path)) };
}

/** A value of the `first` shape or of the `second`. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return {
    check: (value, path) => {
      const complaints = first.check(value, path);
      return complaints.length > 0 && second.check(value, path).length > 0 ? complaints : [];
    },
  };
}

/** An array of `item`s, its length within bounds, and no two alike by `unique`. */
export function list<T>(
  item: Shape<T>,
  { least = 0, most = Infinity, unique }: { least?: number; most?: number; unique?: (item: T) => string } = {},
): Shape<readonly T[]> {
  return {
    check: (value, path) => {
      if (!Array.isArray(value)) return [`${at(path)} must be an array`];
      if (value.length < least || value.length > most) return [`${at(path)} must have ${range(least, most)} items, it has ${value.length}`];
      const complaints = value.flatMap((each, index) => item.check(each, `${path}[${index}]`));
      if (complaints.length > 0 || unique === undefined) return complaints;
      const distinct = new Set((value as readonly T[]).map(unique));
      return distinct.size === value.length ? [] : [`${at(path)} must hold each key once`];
    },
  };
}

/** An object with these fields; fields it does not name are ignored. */
export function fields<S extends Readonly<Record<string, Shape<unknown>>>>(shapes: S): Shape<{ readonly [K in keyof S]: ShapeType<S[K]> }> {
  return {
    check: (value, path) => {
      if (!isRecord(value)) return [`${at(path)} must be an object`];
      return Object.entries(shapes).flatMap(([name, shape]) => shape.check(value[name], path === '' ? name : `${path}.${name}`));
    },
  };
}

function rule<T>(passes: (value: unknown) => boolean, wanted: string): Shape<T> {
  return { check: (value, path) => (passes(value) ? [] : [`${at(path)} must be ${wanted}`]) };
}

function at(path: string): string {
  return path === '' ? 'The body' : `\`${path}\``;
}

function range(least: number, most: number): string {
  return most === Infinity ? `${least} or more` : `${least} to ${most}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
