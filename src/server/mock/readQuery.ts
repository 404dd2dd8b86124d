import type { Request } from 'express';
import { ApiError } from '../api/ApiError.js';

/**
 * The query parameter `name` as a whole number, `fallback` when it is missing. @throws ApiError 400 when it is not a number, or below
 * `least`
 */
export function numberIn(request: Request, name: string, fallback: number, least = 0): number {
  const text = textIn(request, name, String(fallback));
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ApiError(400, `\`${name}\` must be a whole number, ${least} or more`);
}

/** The query parameter `name`, `fallback` when it is missing. @throws ApiError 400 when it is given twice */
export function textIn(request: Request, name: string, fallback: string): string {
  const value = request.query[name];
  if (value === undefined) return fallback;
  if (typeof value !== 'string') throw new ApiError(400, `\`${name}\` must be given once`);
  return value;
}

/** The query parameter `name` as one of `allowed`; the first one when it is missing. @throws ApiError 400 when it is another */
export function choiceIn<const T extends string>(request: Request, name: string, allowed: readonly [T, ...(readonly T[])]): T {
  const text = textIn(request, name, allowed[0]);
  const found = allowed.find((each) => each === text);
  if (found === undefined) throw new ApiError(400, `\`${name}\` must be one of ${allowed.join(', ')}`);
  return found;
}
