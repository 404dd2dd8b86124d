import { BodyError } from '../../request/errors/BodyError.js';

/**
 * The items in the body of a page: those of the field `field`, else the body if it is a list, else the only list among its fields.
 *
 * @throws BodyError that says which fields hold lists
 */
export function itemsOf(body: unknown, field?: string): readonly unknown[] {
  const fields: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
  const lists = Object.entries(fields).filter((entry): entry is [string, readonly unknown[]] => Array.isArray(entry[1]));
  if (field === undefined) {
    if (Array.isArray(body)) return body as readonly unknown[];
    const [only] = lists;
    if (only && lists.length === 1) return only[1];
  } else {
    const list = lists.find(([name]) => name === field);
    if (list) return list[1];
  }
  const names = lists.map(([name]) => name).join(', ');
  const found = lists.length > 0 ? `there are lists in ${names}` : 'there is none';
  throw new BodyError(
    `No list of items ${field === undefined ? 'alone in the body' : `in '${field}'`} of the page: ${found}; name one by --items`,
  );
}
