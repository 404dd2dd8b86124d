import { isObservable } from 'rxjs';
import { isError } from './comparable.js';
import { isClass } from './equality.js';
import { isVirtualResponse } from './VirtualResponse.js';

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
  if (isClass(value)) return `class ${value.name}`;
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if ('asymmetricMatch' in value) return describeAsymmetric(value);
  if (isError(value)) return describeError(value, depth);
  if (value instanceof Response) return describeResponse(value, depth);
  if (value instanceof Headers) return describe(Object.fromEntries(value.entries()), depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (isObservable(value)) return 'Observable';
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength} bytes)`;
  if (depth === 0) return Array.isArray(value) ? '[...]' : '{...}';
  if (Array.isArray(value)) return `[${value.map((item) => describe(item, depth - 1)).join(', ')}]`;
  if (value instanceof Map) return `Map ${describe(Object.fromEntries(value.entries()), depth)}`;
  if (value instanceof Set) return `Set ${describe([...value], depth)}`;
  return describeObject(value, depth);
}

function describeObject(value: object, depth: number): string {
  const fields = Object.entries(value).map(
    ([name, field]) => `${/^[\w$]+$/.test(name) ? name : JSON.stringify(name)}: ${describe(field, depth - 1)}`,
  );
  const name = (value.constructor as { name?: string } | undefined)?.name ?? 'Object';
  const prefix = name === 'Object' ? '' : `${name} `;
  return `${prefix}${fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}'}`;
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
  const content = isVirtualResponse(response) ? response.content : undefined;
  return `Response ${response.status}${headers}${typeof content === 'string' ? ` ${JSON.stringify(content)}` : ''}`;
}

function describeAsymmetric(value: object): string {
  const sample: unknown = 'sample' in value ? value.sample : undefined;
  const inner = sample === undefined ? '' : `<${isClass(sample) ? sample.name : describe(sample, DEEPEST)}>`;
  // Asymmetric matchers of vitest and Jest have a `toString` that is their name.
  return `${(value as { toString(): string }).toString()}${inner}`;
}
