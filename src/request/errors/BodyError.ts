import type { StandardSchemaV1 } from '@standard-schema/spec';
import { ColdfetchError, type ColdfetchErrorOptions, hasBrand, hidden } from './ColdfetchError.js';

/** Options of a {@link BodyError}. */
export interface BodyErrorOptions extends ColdfetchErrorOptions {
  /** Findings of a schema. */
  readonly issues?: readonly StandardSchemaV1.Issue[] | undefined;
}

/** A body that does not parse, does not match its schema, is longer than allowed, or cannot be sent as it is. Never retried. */
export class BodyError extends ColdfetchError {
  /** Findings of a schema, each with a message and a path; undefined where none was asked. Not enumerable: messages may quote the body. */
  declare readonly issues: readonly StandardSchemaV1.Issue[] | undefined;

  constructor(message: string, options: BodyErrorOptions = {}) {
    super('BodyError', message, options);
    hidden(this, 'issues', options.issues);
  }
}

/** True if `value` is a {@link BodyError}, of whichever copy or realm. */
export function isBodyError(value: unknown): value is BodyError {
  return hasBrand(value, 'BodyError');
}
