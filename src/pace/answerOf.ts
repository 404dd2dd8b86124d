import { answerIn } from '../request/answerIn.js';
import type { Answer } from './Limiter.js';

/** A value or an error read as an answer, if it looks like one: a number `status` and, where there are any, header fields. */
export function answerOf(value: unknown): Answer | undefined {
  const error = value instanceof Error ? value : undefined;
  const found = answerIn(value);
  if (found) return { ...found, error };
  if (typeof value !== 'object' || value === null || !('status' in value) || typeof value.status !== 'number') return undefined;
  return { status: value.status, error };
}
