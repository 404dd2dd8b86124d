import { type BareItem, type Dictionary, type Item, type List, parseDictionary, parseList, Token } from 'structured-headers';

/** The items of a structured List (RFC 9651); none if it is missing or malformed, for then the field is ignored whole. */
export function structuredItems(value: string | undefined): readonly Item[] {
  const list: List = (value !== undefined && attempt(() => parseList(value))) || [];
  return list.filter((member): member is Item => !Array.isArray(member[0]));
}

/** A structured Dictionary; `undefined` if it is missing or malformed. */
export function structuredDictionary(value: string | undefined): Dictionary | undefined {
  return value === undefined ? undefined : attempt(() => parseDictionary(value));
}

/** A quantity: a whole number, 0 or more. */
export function quantity(item: unknown): number | undefined {
  return typeof item === 'number' && Number.isInteger(item) && item >= 0 ? item : undefined;
}

/** A duration in whole seconds, above 0, as ms. */
export function seconds(item: unknown): number | undefined {
  return (quantity(item) ?? 0) * 1000 || undefined;
}

/** A name: a String or a Token. */
export function text(item: BareItem | undefined): string | undefined {
  return typeof item === 'string' ? item : item instanceof Token ? item.toString() : undefined;
}

/** A key: a Byte Sequence as base64, or text. */
export function key(item: BareItem | undefined): string | undefined {
  return item instanceof ArrayBuffer ? btoa(String.fromCharCode(...new Uint8Array(item))) : text(item);
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
