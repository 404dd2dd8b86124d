import { isFetchBody } from './bodyShapes.js';
import { isUsageError, UsageError } from './errors/UsageError.js';
import { isObject } from './isObject.js';
import { isStreamBody, type RequestBody } from './RequestBody.js';

/** A body as a client takes it: as `fetch` does, a form of whichever implementation, a body function, or anything else as JSON. */
export type ClientBody = RequestBody | object | number | boolean | null | undefined;

/** A body as it is sent, and its media type if that is ours to say. */
export interface EncodedBody {
  readonly body: RequestBody | undefined;
  readonly type?: string;
}

/** Objects that JSON makes `{}` of, and what to send instead. */
const REMEDIES: Readonly<Record<string, string>> = {
  Map: 'Object.fromEntries(map), or [...map]',
  Set: '[...set]',
  Headers: 'Object.fromEntries(headers)',
  Response: 'its body: response.body, or await response.blob()',
  Request: 'its body: request.body, or await request.blob()',
  Promise: 'what it resolves with, or a body function that returns it',
  Error: 'its message, or an object of what should be told of it',
  RegExp: 'its source',
};

/** Tags of objects whose content JSON does not see. */
const OPAQUE = /^(Map|Set|Blob|File|FormData|Headers|Request|Response|Promise)$/;

/**
 * A client's body in the form that is sent: what is no body of `fetch` becomes JSON; `null` and `undefined` are none.
 *
 * @throws UsageError for what is no JSON: cycles, bigints, a `toJSON` that fails, objects whose content JSON does not see (a Map, a Response)
 */
export function jsonBody(body: ClientBody): EncodedBody {
  if (body === null || body === undefined) return { body: undefined };
  if (typeof body === 'function' || isStreamBody(body) || isFetchBody(body)) return { body: body as RequestBody };
  let json: unknown;
  try {
    json = JSON.stringify(body);
    // Only where something became {} is it looked for.
    if (typeof json === 'string' && json.includes('{}')) JSON.stringify(body, refuseOpaque);
  } catch (cause) {
    if (isUsageError(cause)) throw cause;
    throw new UsageError(`The body cannot be sent as JSON: ${reasonOf(cause)}`, { cause });
  }
  if (typeof json !== 'string') throw new UsageError(`The body cannot be sent as JSON: it is a ${typeof body}`);
  if (json === '{}' && isObject(body) && !isRecord(body)) {
    const name = body.constructor.name || 'object of a class';
    const remedy =
      REMEDIES[name] ?? (body instanceof Error ? REMEDIES.Error : undefined) ?? 'a plain object, or what fetch takes as a body';
    throw new UsageError(`The body is a ${name}, which JSON makes {} of; send ${remedy}`);
  }
  return { body: json, type: 'application/json' };
}

/** Refuses, inside of a body, objects that JSON makes `{}` of whatever they hold. */
function refuseOpaque(key: string, value: unknown): unknown {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (key !== '' && OPAQUE.test(name)) {
    const remedy = REMEDIES[name] ?? 'it as a part of a FormData';
    throw new UsageError(`The body holds a ${name} at ${JSON.stringify(key)}, which JSON makes {} of; send ${remedy}`);
  }
  return value;
}

function reasonOf(cause: unknown): string {
  if (cause instanceof TypeError && /circular|cyclic|bigint/i.test(cause.message)) {
    return 'it holds a cycle or a bigint; send what JSON.stringify takes';
  }
  return `a toJSON of it failed: ${cause instanceof Error ? cause.message : String(cause)}`;
}

/** Whether an object that JSON makes `{}` of is empty indeed: a plain one, or one whose fields are undefined. */
function isRecord(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return true;
  const values: unknown[] = Object.values(body);
  return 'toJSON' in body || (values.length > 0 && values.every((value) => value === undefined));
}
