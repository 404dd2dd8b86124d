import { textOf } from './fields.js';

const FORM = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads an RFC 3339 date-time: `2026-10-21T07:29:00.000Z`, or with an offset (`+02:00`). Days that no calendar has are `undefined`.
 *
 * @returns milliseconds since 1970
 */
export function parseRfc3339(value: string | null | undefined): number | undefined {
  // "T" and "Z" may be lower case (section 5.6).
  const text = textOf(value)?.trim().toUpperCase() ?? '';
  const [, year, month, day] = FORM.exec(text) ?? [];
  // Engines let 31 February roll over into March.
  if (day === undefined || new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}
