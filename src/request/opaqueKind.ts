import { isObservable } from 'rxjs';
import { isAsyncIterable, isFormStream } from './bodyShapes.js';
import { hasMethods, isThenable, tagOf } from './guards.js';

/** A kind of object whose content neither JSON nor its text shows. */
export interface OpaqueKind {
  /** Name of its class with an article: `a Map`. */
  readonly name: string;
  /** Form in which its content can be sent. */
  readonly remedy: string;
}

const AS_PART = 'it as a part of a FormData';
const STREAM = 'a ReadableStream or a stream of Node as the whole body';

/** Forms to send in place of objects, by their tags. */
const REMEDIES: Readonly<Record<string, string>> = {
  Map: 'Object.fromEntries(map), or [...map]',
  Set: '[...set]',
  WeakMap: 'a plain object',
  WeakSet: 'an array',
  Headers: 'Object.fromEntries(headers)',
  URLSearchParams: 'Object.fromEntries(params), or it as the whole body',
  Response: 'its body: response.body, or await response.blob()',
  Request: 'its body: request.body, or await request.blob()',
  Promise: 'what it resolves with, or a body function that returns it',
  Observable: 'what it emits: use switchMap, say',
  Error: 'its message, or an object of what should be told of it',
  DOMException: 'its message',
  RegExp: 'its source',
  Blob: AS_PART,
  File: AS_PART,
  FileList: 'its files as parts of a FormData',
  FormData: 'a FormData of this platform as the whole body',
  HTMLFormElement: 'new FormData(form)',
  ArrayBuffer: AS_PART,
  SharedArrayBuffer: AS_PART,
  DataView: AS_PART,
  ReadableStream: STREAM,
  Generator: '[...generator]',
  Stream: STREAM,
};

/**
 * Kind of an object whose content is lost where it is written as JSON or as text, whichever other fields it has: a Map, an Error, a
 * Response of the package `node-fetch`. Undefined for plain objects, and for objects with a `toJSON`.
 */
export function opaqueKind(value: object): OpaqueKind | undefined {
  if (isPlain(value) || hasMethods(value, 'toJSON')) return undefined;
  const kind = kindOf(value);
  const remedy = kind === undefined ? undefined : REMEDIES[kind];
  return kind === undefined || remedy === undefined ? undefined : { name: nameOf(value, kind), remedy };
}

/** Name of an object's class with an article, for a message. */
export function nameOf(value: object, kind = 'object of a class'): string {
  const { name } = (value.constructor as Partial<typeof value.constructor> | undefined) ?? {};
  const shown = typeof name === 'string' && name !== '' && name !== 'Object' ? name : kind;
  return `${/^[AEIOaeio]/.test(shown) ? 'an' : 'a'} ${shown}`;
}

/**
 * The tag decides where it is specific; objects of other implementations (`node-fetch`, polyfills, old streams of Node) are known by their
 * shape.
 */
function kindOf(value: object): string | undefined {
  const tag = tagOf(value);
  if (tag in REMEDIES) return tag;
  if (/Generator$|Iterator$|^Iterator/.test(tag)) return 'Generator';
  if (value instanceof Error) return 'Error';
  if (isThenable(value)) return 'Promise';
  if (isObservable(value)) return 'Observable';
  if (hasMethods(value, 'text', 'json', 'clone')) return 'Response';
  if (hasMethods(value, 'append', 'getAll', 'delete')) return 'FormData';
  return isAsyncIterable(value) || isFormStream(value) || hasMethods(value, 'pipe', 'on') ? 'Stream' : undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
