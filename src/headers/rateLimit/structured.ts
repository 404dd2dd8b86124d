import { parseDictionary, parseList, Token } from 'structured-headers';
import { textOf } from '../fields.js';
import type { HeadersLike } from '../HeadersLike.js';

/** An Item of RFC 9651: a bare value and its parameters. (Of an Inner List, the bare value is an array, which is neither text nor a number.) */
export type StructuredItem = readonly [bare: unknown, parameters: ReadonlyMap<string, unknown>];

/** The members of a structured List (RFC 9651); none if it is missing or malformed, for then it is ignored whole. */
export function structuredItems(value: string | undefined): readonly StructuredItem[] {
  return (value === undefined ? undefined : attempt(() => parseList(value))) ?? [];
}

/** The bare values of a structured Dictionary; none if it is missing or malformed. */
export function structuredValues(value: string | undefined): ReadonlyMap<string, unknown> {
  const members: Iterable<readonly [string, StructuredItem]> | undefined =
    value === undefined ? undefined : attempt(() => parseDictionary(value));
  return new Map(Array.from(members ?? [], ([name, [bare]]) => [name, bare]));
}

/** A number of any kind. */
export function number(bare: unknown): number | undefined {
  return typeof bare === 'number' ? bare : undefined;
}

/** A quantity: a whole number, 0 or more. */
export function quantity(bare: unknown): number | undefined {
  return typeof bare === 'number' && Number.isInteger(bare) && bare >= 0 ? bare : undefined;
}

/** A duration in whole seconds, above 0, as ms. */
export function seconds(bare: unknown): number | undefined {
  const whole = quantity(bare);
  return whole === undefined || whole === 0 ? undefined : whole * 1000;
}

/** A name: a String or a Token. */
export function text(bare: unknown): string | undefined {
  return typeof bare === 'string' ? bare : bare instanceof Token ? bare.toString() : undefined;
}

/** A key: a Byte Sequence as base64, or text. */
export function key(bare: unknown): string | undefined {
  return bare instanceof ArrayBuffer ? btoa(String.fromCharCode(...new Uint8Array(bare))) : text(bare);
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
