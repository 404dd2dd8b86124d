import { textOf } from '../fields.js';
import type { HeadersLike } from '../HeadersLike.js';
import { type BareValue, parseDictionary, parseList, type StructuredItem } from './structuredFields.js';

/** The members of a structured List; none if it is missing or malformed, for then it is ignored whole. */
export function structuredItems(value: string | undefined): readonly StructuredItem[] {
  return (value === undefined ? undefined : attempt(() => parseList(value))) ?? [];
}

/** The bare values of a structured Dictionary; none if it is missing or malformed. */
export function structuredValues(value: string | undefined): ReadonlyMap<string, BareValue> {
  const members = value === undefined ? undefined : attempt(() => parseDictionary(value));
  return new Map(Array.from(members ?? [], ([name, [bare]]) => [name, bare]));
}

/** A number of any kind. */
export function number(bare: BareValue): number | undefined {
  return typeof bare === 'number' ? bare : undefined;
}

/** A quantity: a whole number, 0 or more. */
export function quantity(bare: BareValue): number | undefined {
  return typeof bare === 'number' && Number.isInteger(bare) && bare >= 0 ? bare : undefined;
}

/** A duration in whole seconds, above 0, as ms. */
export function seconds(bare: BareValue): number | undefined {
  const whole = quantity(bare);
  return whole === undefined || whole === 0 ? undefined : whole * 1000;
}

/** A name: a String or a Token. */
export function text(bare: BareValue): string | undefined {
  return typeof bare === 'string' ? bare : undefined;
}

/** A key: a Byte Sequence as base64, or text. */
export function key(bare: BareValue): string | undefined {
  return typeof bare === 'object' ? bare.base64 : text(bare);
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

const MAX_LENGTH = 4096;

/** The value of a rate-limit field; `undefined` if missing, or longer than the 4 KiB that an honest server needs. */
export function fieldValue(headers: HeadersLike, name: string): string | undefined {
  const value = textOf(headers.get(name));
  return value !== undefined && value.length <= MAX_LENGTH ? value : undefined;
}
