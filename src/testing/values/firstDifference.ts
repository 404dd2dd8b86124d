import { comparable, isOpaque, kindOf } from './comparable.js';
import { describeValue } from './describeValue.js';
import { type Equals, isClass } from './equality.js';

/**
 * Sentence about the innermost place at which two unequal values differ.
 *
 * @param equals the equality that found them unequal; it compares their fields too
 */
export function firstDifference(received: unknown, expected: unknown, equals: Equals): string {
  const { path, left, right } = descend(received, expected, equals, []);
  const place = path.length > 0 ? `${path.join('.')} is ` : '';
  const [got, wanted] = [describeValue(left), describeValue(right)];
  if (got !== wanted) return `${place}${got} where ${wanted} was expected`;
  if (typeof left === 'string' && typeof right === 'string') return `${place}${around(left, right)}`;
  return `${place}${got}, but not the one that was expected${isOpaque(left) ? ': what is in it cannot be compared' : ''}`;
}

interface Place {
  readonly path: readonly string[];
  readonly left: unknown;
  readonly right: unknown;
}

function descend(left: unknown, right: unknown, equals: Equals, path: readonly string[]): Place {
  const here = { path, left, right };
  if (isClass(right) || (ArrayBuffer.isView(right) && kindOf(left) !== kindOf(right))) return here;
  const leftFields = fields(left);
  const rightFields = fields(right);
  if (!leftFields || !rightFields) return here;
  // A plain object stands for some fields of an error.
  const partial = comparable(left) !== undefined && comparable(right) === undefined;
  const names = partial ? Object.keys(rightFields) : [...new Set([...Object.keys(rightFields), ...Object.keys(leftFields)])];
  const name = names.find((key) => !equals(leftFields[key], rightFields[key]));
  if (name === undefined || path.length >= 8) return here;
  return descend(leftFields[name], rightFields[name], equals, [...path, name]);
}

/** Parts of a value by name; undefined where the value has none. */
function fields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const compared = comparable(value);
  if (compared) return compared;
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return undefined;
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, held]) => [String(key), held as unknown]));
  return Array.isArray(value) || ArrayBuffer.isView(value) || kindOf(value) === 'Object' ? (value as Record<string, unknown>) : undefined;
}

/** Characters of two long texts that are shown before and after the place where they part. */
const BEFORE = 20;
const AFTER = 40;

function around(left: string, right: string): string {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const start = Math.max(0, at - BEFORE);
  const [got, wanted] = [left, right].map((text) => JSON.stringify(text.slice(start, at + AFTER)));
  return `${got} where ${wanted} was expected, ${start} characters from its beginning`;
}
