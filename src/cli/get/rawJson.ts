import { BodyError } from '../../request/errors/BodyError.js';
import { notJson } from '../../transport/convertBody.js';

/** Tokens that give JSON its shape, and escapes, which are part of strings. The pattern has no loops: a long string needs no stack. */
const TOKENS = /\\.|["[\]{},:]/gs;
const BLANKS = /\\.|"|[ \t\n\r]+/gs;

/** True if a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A JSON text without blanks, otherwise as it is written: no number loses a digit. */
export function compacted(json: string): string {
  let inString = false;
  return json.replace(BLANKS, (token) => {
    if (token === '"') inString = !inString;
    return inString || token.startsWith('"') ? token : '';
  });
}

/** The elements of a JSON array as they are written; undefined for other JSON. */
function rawElements(json: string): string[] | undefined {
  return json.trimStart().startsWith('[') ? parts(json) : undefined;
}

/** The members of a JSON object as they are written, by their names; of repeated members the last; undefined for other JSON. */
function rawMembers(json: string): ReadonlyMap<string, string> | undefined {
  if (!json.trimStart().startsWith('{')) return undefined;
  return new Map(
    parts(json).map((member) => {
      const [, colon = 0] = shapeOf(member).next().value ?? [];
      return [JSON.parse(member.slice(0, colon)) as string, member.slice(colon + 1)];
    }),
  );
}

/** Texts between the commas in the outermost brackets. */
function parts(json: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [token, index] of shapeOf(json)) {
    if (token === '[' || token === '{') {
      if (depth++ === 0) start = index + 1;
    } else if (token === ']' || token === '}') depth--;
    if (depth === 0 || (depth === 1 && token === ',')) {
      found.push(json.slice(start, index));
      start = index + 1;
    }
  }
  return found.length === 1 && found[0]?.trim() === '' ? [] : found;
}

/** Brackets, commas and colons outside of strings, and where they are. */
function* shapeOf(json: string): Generator<[token: string, index: number], undefined> {
  let inString = false;
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (token === '"') inString = !inString;
    else if (!inString) yield [token, index];
  }
}

/**
 * The items in the JSON of a page, each as it is written there, in one line: those of the field `field`, else the body if it is a list,
 * else the only list among its fields. An empty body has none.
 *
 * @throws BodyError for a body that is not JSON, and one that names the fields with lists
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
