import type { HeadersLike } from '../HeadersLike.js';
import { textOf } from '../fields.js';

const MAX_LENGTH = 4096;

/** The value of a rate-limit field; `undefined` if missing, or longer than the 4 KiB that an honest server needs. */
export function fieldValue(headers: HeadersLike, name: string): string | undefined {
  const value = textOf(headers.get(name));
  return value !== undefined && value.length <= MAX_LENGTH ? value : undefined;
}
