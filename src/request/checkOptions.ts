import { UsageError } from './errors/UsageError.js';
import { isObject } from './guards.js';

/** Name of the function whose arguments are checked, for messages; or a function that makes the name, where making it costs something. */
export type Place = string | (() => string);

/** Rule for the value of one option: the check, and the remedy for a refused value. */
export type OptionRule = readonly [accepts: (value: unknown) => boolean, remedy: string];

/** Rules of options, by the options' names. */
interface NamedOptions<Name extends PropertyKey> {
  /** Rule of each option. */
  readonly rules: Readonly<Record<Name, OptionRule>>;
  /** Options that may not be left out. */
  readonly required?: readonly Name[];
  /** Names that other libraries use for an option, and options that belong to another place, each with its remedy here. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** Rules of all options of one function; the compiler sees to it that none is forgotten. */
export type OptionTable<Options> = NamedOptions<keyof Options>;

/** True if `value` is a number, 0 or more; `Infinity` is one. */
export function isNotNegative(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

/** True if `value` is a number above 0; `Infinity` is one. */
export function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

/** True if `value` is a number, 1 or more; `Infinity` is one. */
export function isFrom1(value: unknown): value is number {
  return typeof value === 'number' && value >= 1;
}

/** True if `value` is a function. */
export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** Rule of an option that is checked where it is used, or may be anything. */
export const ANY: OptionRule = [() => true, ''];
export const FUNCTION: OptionRule = [isFunction, 'a function'];
export const NOT_NEGATIVE: OptionRule = [isNotNegative, 'a number, 0 or more'];
export const POSITIVE: OptionRule = [isPositive, 'a number above 0'];
export const FROM_1: OptionRule = [isFrom1, 'a number, 1 or more'];
/** Rule of a duration, which may be 0. */
export const MILLISECONDS: OptionRule = [isNotNegative, 'milliseconds, 0 or more'];
/** Rule of a time limit. */
export const TIME_LIMIT: OptionRule = [isPositive, 'milliseconds above 0, or Infinity for none'];
/** Rule of a bound on the length of a body. */
export const BYTE_LIMIT: OptionRule = [isPositive, 'bytes above 0, or Infinity for no limit'];

/** Rule of an option that is one of a few words. */
export function oneOf(...words: readonly string[]): OptionRule {
  return [(value) => words.includes(value as string), `one of ${words.join(', ')}`];
}

/**
 * Refuses options that are unknown, since a misspelt name would leave the default in force unseen, and values that are out of their range. An
 * option that is undefined counts as left out.
 *
 * @throws UsageError that names the place, the option, its value, and what to give instead
 */
export function checkOptions<Name extends PropertyKey>(
  place: Place,
  options: Readonly<Partial<Record<Name, unknown>>>,
  { rules, required = [], elsewhere = {} }: NamedOptions<Name>,
): void {
  requireThat(isObject(options), place, 'the argument', options, 'an object of options');
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(rules, name)) {
      const remedy = Object.hasOwn(elsewhere, name) ? `say it as ${String(elsewhere[name])}` : `there are ${Object.keys(rules).join(', ')}`;
      throw new UsageError(`${textOf(place)}: ${name} is unknown; ${remedy}`);
    }
    const [accepts, remedy] = rules[name as Name];
    requireThat(accepts(value), place, name, value, remedy);
  }
  for (const name of required) requireThat(options[name] !== undefined, place, String(name), undefined, rules[name][1]);
}

/**
 * Refuses values that are out of their range, in an object that may have further fields. An undefined value counts as left out, unless it is
 * required.
 *
 * @param show makes the text of a refused value
 * @throws UsageError that names the place, the option, its value, and what to give instead
 */
export function checkValues<Name extends string>(
  place: Place,
  options: Readonly<Partial<Record<Name, unknown>>>,
  rules: Readonly<Record<Name, OptionRule>>,
  required: readonly NoInfer<Name>[] = [],
  show: (value: unknown) => string = String,
): void {
  for (const name of Object.keys(rules) as Name[]) {
    const value: unknown = options[name];
    const [accepts, remedy] = rules[name];
    const isLeftOut = value === undefined && !required.includes(name);
    if (!isLeftOut && !accepts(value)) requireThat(false, place, name, show(value), remedy);
  }
}

/**
 * Refuses a value that is out of its range.
 *
 * @throws UsageError that names the place, the value, and what to give instead
 */
export function requireThat(holds: boolean, place: Place, name: string, value: unknown, remedy: string): void {
  if (!holds) throw new UsageError(`${textOf(place)}: ${name} is ${String(value)}; give ${remedy}`);
}

function textOf(place: Place): string {
  return typeof place === 'string' ? place : place();
}
