import { BodyError } from '../../request/errors/BodyError.js';
import { notJson } from '../../transport/readBody.js';
import { compacted, isJson, rawElements, rawMembers } from './rawJson.js';

/**
 * The items in the JSON of a page, each as it is written there, in one line: those of the field `field`, else the body if it is a list, else
 * the only list among its fields. A body without content has none.
 *
 * @throws BodyError for what is no JSON, and one that says which fields hold lists
 */
export function itemsOf(body: string, field?: string): readonly string[] {
  if (body.trim() === '') return [];
  if (!isJson(body)) throw new BodyError(notJson(body));
  const lists = [...(rawMembers(body) ?? [])].flatMap(([name, value]) => {
    const list = rawElements(value);
    return list ? [[name, list] as const] : [];
  });
  const [[, only] = []] = lists;
  const list =
    field === undefined ? (rawElements(body) ?? (lists.length === 1 ? only : undefined)) : lists.find(([name]) => name === field)?.[1];
  if (list) return list.map(compacted);
  const names = lists.map(([name]) => name).join(', ');
  const found = lists.length > 0 ? `there are lists in ${names}` : 'there is none';
  throw new BodyError(
    `No list of items ${field === undefined ? 'alone in the body' : `in '${field}'`} of the page: ${found}; name one by --items`,
  );
}
