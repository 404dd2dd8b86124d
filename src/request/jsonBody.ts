import { isFetchBody } from './bodyShapes.js';
import { UsageError } from './errors/UsageError.js';
import { hasMethods, isObject } from './guards.js';
import { jsonProblem, placeOf } from './jsonProblem.js';
import { nameOf, opaqueKind } from './opaqueKind.js';
import { isStreamBody, type RequestBody } from './RequestBody.js';

/** A body as a client takes it: any body of `fetch`, a form of any implementation, a body function, or any other value as JSON. */
export type ClientBody = RequestBody | object | number | boolean | null | undefined;

/** A body as it is sent, with its media type where coldfetch sets that. */
export interface EncodedBody {
  readonly body: RequestBody | undefined;
  readonly type?: string;
}

/**
 * A client's body in the form that is sent: a value that is no body of `fetch` becomes JSON; `null` and `undefined` are no body.
 *
 * @throws UsageError for what is not JSON: cycles, bigints, a `toJSON` or a getter that fails, objects whose content JSON leaves out (a Map, a
 * Response, an Error), at any depth
 */
export function jsonBody(body: ClientBody): EncodedBody {
  if (body === null || body === undefined) return { body: undefined };
  if (typeof body === 'function' || isStreamBody(body) || isFetchBody(body)) return { body: body as RequestBody };
  let json: unknown;
  try {
    json = JSON.stringify(body);
  } catch (cause) {
    throw new UsageError(`The body cannot be sent as JSON: ${jsonProblem(body, cause)}`, { cause });
  }
  if (typeof json !== 'string') {
    throw new UsageError(`The body cannot be sent as JSON: ${isObject(body) ? 'its toJSON gives no JSON' : `it is a ${typeof body}`}`);
  }
  if (isObject(body)) {
    requireShown(body);
    if (json === '{}' && !isRecord(body)) {
      throw new UsageError(
        `The body is ${nameOf(body)}, whose content JSON leaves out; send a plain object, or what fetch takes as a body`,
      );
    }
  }
  return { body: json, type: 'application/json' };
}

/** An object inside of a body, and the field that holds it. */
interface Place {
  readonly value: object;
  readonly key: string;
  readonly above: Place | undefined;
}

/** Refuses a body that is, or holds, an object whose content JSON leaves out. */
function requireShown(body: object): void {
  // The walk is a loop, not a recursion: Node 26 writes JSON of any depth.
  const left: Place[] = [{ value: body, key: '', above: undefined }];
  for (let place = left.pop(); place; place = left.pop()) {
    const { value } = place;
    const kind = opaqueKind(value);
    if (kind) {
      const subject = place.above ? `holds ${kind.name}${placeOf(pathTo(place))}` : `is ${kind.name}`;
      throw new UsageError(`The body ${subject}, whose content JSON leaves out; send ${kind.remedy}`);
    }
    // The author of a `toJSON` is responsible for its result.
    if (hasMethods(value, 'toJSON')) continue;
    for (const key of Object.keys(value)) {
      const field: unknown = (value as Record<string, unknown>)[key];
      if (isObject(field)) left.push({ value: field, key, above: place });
    }
  }
}

function pathTo(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.above; at = at.above) path.unshift(at.key);
  return path;
}

/** True if an object that becomes `{}` as JSON is empty indeed: a plain object, or one whose fields are undefined. */
function isRecord(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return true;
  const values: unknown[] = Object.values(body);
  return 'toJSON' in body || (values.length > 0 && values.every((value) => value === undefined));
}
