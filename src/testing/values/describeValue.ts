import { isObservable } from 'rxjs';
import { contentOf, isError, isOpaque, kindOf } from './comparable.js';
import { isClass } from './equality.js';

const LONGEST = 120;
const DEEPEST = 3;

/** A value in one line, for legends and sentences. */
export function describeValue(value: unknown): string {
  const text = describe(value, DEEPEST);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
}

function describe(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (isClass(value)) return `class ${value.name}`;
  if (typeof value === 'function') return `function ${value.name}`.trimEnd();
  if (typeof value !== 'object' || value === null) return String(value);
  if ('asymmetricMatch' in value) return describeAsymmetric(value);
  if (isError(value)) return describeError(value, depth);
  if (value instanceof Response) return describeResponse(value, depth);
  if (value instanceof Headers) return describe(Object.fromEntries(value.entries()), depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (isObservable(value)) return 'Observable';
  if (kindOf(value) === 'ArrayBuffer') return describeElements('ArrayBuffer', new Uint8Array(value as ArrayBuffer));
  if (ArrayBuffer.isView(value)) return describeElements(value.constructor.name, elementsOf(value));
  if (isOpaque(value)) return describeOpaque(value);
  const platform = PLATFORM[kindOf(value)];
  if (platform) return `${kindOf(value)} ${platform(value as never)}`;
  if (depth === 0) return Array.isArray(value) ? '[...]' : '{...}';
  if (Array.isArray(value)) return `[${value.map((item) => describe(item, depth - 1)).join(', ')}]`;
  if (value instanceof Map) return `Map ${describe(Object.fromEntries(value.entries()), depth)}`;
  if (value instanceof Set) return `Set ${describe([...value], depth)}`;
  return describeObject(value, depth);
}

/** Objects of the platform's `fetch` that have no form of their own here. */
const PLATFORM: Readonly<Record<string, ((value: never) => string) | undefined>> = {
  URL: ({ href }: URL) => href,
  URLSearchParams: (params: URLSearchParams) => JSON.stringify(params.toString()),
  FormData: (form: FormData) => describe([...form.entries()], DEEPEST),
  Request: ({ method, url }: Request) => `${method} ${url}`,
};

const MOST_ELEMENTS = 16;

function elementsOf(view: ArrayBufferView): ArrayLike<unknown> {
  // Typed arrays are read alike, whatever their elements are; only a DataView has none.
  return kindOf(view) === 'DataView' ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : (view as Uint8Array);
}

function describeElements(name: string, elements: ArrayLike<unknown>): string {
  const shown = Array.from({ length: Math.min(elements.length, MOST_ELEMENTS) }, (_, index) => String(elements[index]));
  return `${name}(${elements.length}) [${shown.join(', ')}${elements.length > MOST_ELEMENTS ? ', ...' : ''}]`;
}

function describeOpaque(value: object): string {
  const { size, type, name } = value as Partial<File>;
  const parts = [name && JSON.stringify(name), size !== undefined && `${size} bytes`, type].filter(Boolean);
  return `${kindOf(value)}${parts.length > 0 ? `(${parts.join(', ')})` : ''}`;
}

function describeObject(value: object, depth: number): string {
  const fields = Object.keys(value).map((name) => {
    return `${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}: ${describeField(value, name, depth - 1)}`;
  });
  const name = (value.constructor as { name?: string } | undefined)?.name ?? 'Object';
  const prefix = name === 'Object' ? '' : `${name} `;
  return `${prefix}${fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}'}`;
}

/** A field, even a getter that throws: describing a failure must not fail. */
function describeField(value: object, name: string, depth: number): string {
  try {
    return describe((value as Record<string, unknown>)[name], depth);
  } catch (error) {
    return `(throws ${describe(error, 0)})`;
  }
}

function describeError(error: Error, depth: number): string {
  const shown = new Set(['stack', 'message', 'name', 'cause']);
  const fields = Object.fromEntries(Object.entries(error).filter(([name]) => !shown.has(name)));
  const name = error.name === 'Error' || error.name === '' ? (error.constructor.name as string | undefined) : error.name;
  const own = Object.keys(fields).length > 0 && depth > 0 ? ` ${describeObject(fields, depth)}` : '';
  const cause = error.cause !== undefined && depth > 0 ? ` <- ${describe(error.cause, depth - 1)}` : '';
  return `${name ?? 'Error'}: ${error.message}${own}${cause}`;
}

function describeResponse(response: Response, depth: number): string {
  const headers = [...response.headers].length > 0 ? ` ${describe(response.headers, depth)}` : '';
  const content = contentOf(response);
  return `Response ${response.status}${headers}${typeof content === 'string' ? ` ${JSON.stringify(content)}` : ''}`;
}

function describeAsymmetric(value: object): string {
  const sample: unknown = 'sample' in value ? value.sample : undefined;
  const inner = sample === undefined ? '' : `<${isClass(sample) ? sample.name : describe(sample, DEEPEST)}>`;
  // Asymmetric matchers of vitest and Jest have a `toString` that is their name.
  return `${(value as { toString(): string }).toString()}${inner}`;
}
