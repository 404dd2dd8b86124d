import { UsageError } from '../../request/errors/UsageError.js';
import { isObject } from '../../request/guards.js';

/**
 * The object that a JSON text holds.
 *
 * @param place name of the text's source, with which a message begins
 * @throws UsageError for a text that is not JSON, or that holds another value
 */
export function jsonObject(text: string, place: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${place} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (!isRecord(value)) throw new UsageError(`${place} holds no JSON object`);
  return value;
}

/** True if a value of JSON is an object, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}
