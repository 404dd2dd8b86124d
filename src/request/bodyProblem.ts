import { isFetchBody } from './bodyShapes.js';
import { hasMethods, isObject } from './guards.js';
import { nameOf, opaqueKind } from './opaqueKind.js';
import { isStreamBody } from './RequestBody.js';

const AS_JSON = 'JSON.stringify(...) with a content-type of application/json, or give it to a method of a client';

/**
 * Reason why `fetch` cannot send a body but would make `[object Object]` of it, and what to send instead; undefined for a body that can be
 * sent. A number is sent as its text, and so is an object with a text of its own (a URL), as `fetch` does it.
 *
 *     bodyProblem(new Set())   a Set, which fetch makes text of; send [...it]
 */
export function bodyProblem(body: unknown): string | undefined {
  if (typeof body === 'function' || typeof body === 'symbol') return `a ${typeof body}; send text, bytes, a Blob, a form or a stream`;
  if (!isObject(body) || isStreamBody(body) || isFetchBody(body)) return undefined;
  const kind = opaqueKind(body);
  if (kind) return `${kind.name}, which fetch makes text of; send ${kind.remedy}`;
  return hasText(body) ? undefined : `${nameOf(body, 'object')}, which fetch makes text of; send ${AS_JSON}`;
}

/** True if an object has a text of its own. */
function hasText(body: { toString(): string }): boolean {
  return !Array.isArray(body) && hasMethods(body, 'toString') && !body.toString().startsWith('[object ');
}
