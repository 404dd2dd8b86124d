import { type MarbleContext, marbles } from 'coldfetch/testing';
import { failureOf } from '../support/failureOf.js';

/** The message that a marbles block fails with, a line each. */
export function failureLines(body: (context: MarbleContext) => void): string[] {
  return failureOf(() => marbles(body)).message.split('\n');
}

/** An error with a field and, maybe, a cause. */
export class Busy extends Error {
  constructor(
    message: string,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
