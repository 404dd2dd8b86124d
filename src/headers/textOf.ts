/**
 * A field's value as text, whatever a foreign `headers.get` made of it: axios keeps numbers and lists as they were set. `undefined` for a
 * missing field and for what is no text.
 */
export function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map((each) => textOf(each) ?? '').join(', ');
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
