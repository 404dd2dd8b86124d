import { hasMethods, isObject } from './guards.js';
import { printable } from './printable.js';

/**
 * Reason why `JSON.stringify` threw about a body, and where: a bigint, a cycle, a `toJSON` or a getter that failed.
 *
 *     jsonProblem({ user: { id: 1n } }, error)   it holds a bigint at user.id; send a number or a string
 *
 * @param cause the error that it threw
 */
export function jsonProblem(body: unknown, cause: unknown): string {
  if (cause instanceof RangeError) return `it is nested too deeply, or too large (${cause.message})`;
  try {
    return problemIn(body, [], []) ?? messageOf(cause);
  } catch {
    // A Proxy may refuse even to be looked at.
    return messageOf(cause);
  }
}

/** Place of a field for a message: ` at user.name`; none for the body itself. */
export function placeOf(path: readonly string[]): string {
  return path.length === 0 ? '' : ` at ${path.join('.')}`;
}

function problemIn(given: unknown, path: readonly string[], above: readonly unknown[]): string | undefined {
  let value = given;
  if (hasMethods(given, 'toJSON')) {
    try {
      value = (given as { toJSON(key: string): unknown }).toJSON(path.at(-1) ?? '');
    } catch (error) {
      return `a toJSON${placeOf(path)} failed: ${messageOf(error)}`;
    }
  }
  if (typeof value === 'bigint') return `it holds a bigint${placeOf(path)}; send a number or a string`;
  if (!isObject(value)) return undefined;
  if (above.includes(value)) return `it holds a cycle${placeOf(path)}; send what JSON.stringify takes`;
  for (const key of Object.keys(value)) {
    const inner = [...path, key];
    let field: unknown;
    try {
      field = (value as Record<string, unknown>)[key];
    } catch (error) {
      return `a getter${placeOf(inner)} failed: ${messageOf(error)}`;
    }
    const problem = problemIn(field, inner, [...above, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Characters of a text in which a page begins and has its title, and characters of the title that are shown. */
const [HEAD_LENGTH, TITLE_LENGTH] = [10_000, 80];

/**
 * Name of an HTML page, for the message of an error: a login page or a proxy often answers in place of an API, with a 200.
 *
 *     htmlPage('<!doctype html><title>Sign in</title>')   an HTML page ("Sign in")
 *
 * @returns undefined for a text that is no HTML
 */
export function htmlPage(text: string): string | undefined {
  const head = text.slice(0, HEAD_LENGTH).replace(/<!--.*?-->/gs, '');
  if (!/^\s*<(!doctype\s+html|html|head|body)\b/i.test(head)) return undefined;
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1]?.replace(/\s+/g, ' ').trim();
  return title ? `an HTML page ("${printable(title, TITLE_LENGTH)}")` : 'an HTML page';
}
