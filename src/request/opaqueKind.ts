import { isObservable } from 'rxjs';
import { isAsyncIterable, isBlob, isFormStream } from './bodyShapes.js';
import { hasMethods, isThenable, tagOf } from './guards.js';

/** A kind of object whose content neither JSON nor its text shows. */
export interface OpaqueKind {
  /** Name of its class with an article: `a Map`. */
  readonly name: string;
  /** Form in which its content can be sent. */
  readonly remedy: string;
}

/** Forms to send in place of objects, each with the tags that it is for. */
const REMEDIES: Readonly<Record<string, string>> = {
  'Object.fromEntries(it), or [...it]': 'Map Headers URLSearchParams',
  '[...it]': 'Set Generator',
  'a plain object or an array': 'WeakMap WeakSet',
  'its body: it.body, or await it.blob()': 'Response Request',
  'what it resolves with, or a body function that returns it': 'Promise',
  'what it emits: use switchMap, say': 'Observable',
  'its message': 'Error DOMException',
  'its source': 'RegExp',
  'it as a part of a FormData': 'Blob File FileList ArrayBuffer SharedArrayBuffer DataView',
  'new FormData(it)': 'HTMLFormElement',
  'a FormData of this platform as the whole body': 'FormData',
  'a ReadableStream or a stream of Node as the whole body': 'ReadableStream Stream',
};

/**
 * Kind of an object whose content is lost where it is written as JSON or as text, whichever other fields it has: a Map, an Error, a
 * Response of the package `node-fetch`. Undefined for plain objects, and for objects with a `toJSON`.
 */
export function opaqueKind(value: object): OpaqueKind | undefined {
  if (isPlain(value) || hasMethods(value, 'toJSON')) return undefined;
  const kind = kindOf(value);
  const remedy = kind && remedyFor(kind);
  return kind && remedy ? { name: nameOf(value, kind), remedy } : undefined;
}

/** Name of an object's class with an article, for a message. */
export function nameOf(value: object, kind = 'object of a class'): string {
  const { name } = (value.constructor as Partial<typeof value.constructor> | undefined) ?? {};
  const shown = typeof name === 'string' && name !== '' && name !== 'Object' ? name : kind;
  return `${/^[AEIOaeio]/.test(shown) ? 'an' : 'a'} ${shown}`;
}

/**
 * The tag decides where it is specific; objects of other implementations (`node-fetch`, polyfills, happy-dom, old streams of Node) are known by their
 * shape.
 */
function kindOf(value: object): string | undefined {
  const tag = tagOf(value);
  if (remedyFor(tag)) return tag;
  if (/Generator$|Iterator$|^Iterator/.test(tag)) return 'Generator';
  if (value instanceof Error) return 'Error';
  if (isThenable(value)) return 'Promise';
  if (isObservable(value)) return 'Observable';
  if (hasMethods(value, 'text', 'json', 'clone')) return 'Response';
  if (isBlob(value)) return 'Blob';
  if (hasMethods(value, 'append', 'getAll', 'sort')) return 'URLSearchParams';
  if (hasMethods(value, 'append', 'get', 'getSetCookie')) return 'Headers';
  if (hasMethods(value, 'getReader', 'tee')) return 'ReadableStream';
  if (hasMethods(value, 'append', 'getAll', 'delete')) return 'FormData';
  return isAsyncIterable(value) || isFormStream(value) || hasMethods(value, 'pipe', 'on') ? 'Stream' : undefined;
}

function remedyFor(kind: string): string | undefined {
  return Object.keys(REMEDIES).find((remedy) => REMEDIES[remedy]?.split(' ').includes(kind));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
