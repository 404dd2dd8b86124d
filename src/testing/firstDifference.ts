import { comparable } from './comparable.js';
import { describeValue } from './describeValue.js';
import { type Equals, isClass } from './equality.js';

/**
 * In one sentence, the innermost place at which two unequal values differ.
 *
 * @param equals what found them unequal, and compares their fields too
 */
export function firstDifference(received: unknown, expected: unknown, equals: Equals): string {
  const { path, left, right } = descend(received, expected, equals, []);
  const place = path.length > 0 ? `${path.join('.')} is ` : '';
  return `${place}${describeValue(left)} where ${describeValue(right)} was expected`;
}

interface Place {
  readonly path: readonly string[];
  readonly left: unknown;
  readonly right: unknown;
}

function descend(left: unknown, right: unknown, equals: Equals, path: readonly string[]): Place {
  const here = { path, left, right };
  if (isClass(right)) return here;
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

function fields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const compared = comparable(value);
  if (compared) return compared;
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null ? (value as Record<string, unknown>) : undefined;
}
