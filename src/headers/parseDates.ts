import { textOf } from './fields.js';
import type { HeadersLike } from './HeadersLike.js';

// The forms of RFC 9110 section 5.6.7. All three say GMT, asctime without a word; its day of the month is padded with a space.
const IMF_FIXDATE =
  /^[ \t]*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) GMT[ \t]*$/;
const RFC_850 =
  /^[ \t]*(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) GMT[ \t]*$/;
const ASCTIME =
  /^[ \t]*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) (?<year>\d{4})[ \t]*$/;

/**
 * Reads an HTTP-date in any of the three forms of RFC 9110 section 5.6.7, by their case-sensitive grammar. ISO 8601, a zone other than
 * GMT, a time or a day that does not exist: `undefined`.
 *
 *     parseHttpDate('Wed, 21 Oct 2026 07:28:30 GMT', now)       // 1792567710000
 *     parseHttpDate('Wednesday, 21-Oct-26 07:28:30 GMT', now)   // the same
 *     parseHttpDate('Wed Oct 21 07:28:30 2026', now)            // the same
 *
 * The day's name must be one, but need not be that date's: it adds nothing to the date, and recipients are asked to be robust. A leap
 * second (`:60`) is the first second of the next minute.
 *
 * @param now the wall clock in ms since 1970: a two-digit year is the latest one that is at most 50 years ahead of it
 * @returns milliseconds since 1970
 */
export function parseHttpDate(value: string | null | undefined, now: number): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const full = (IMF_FIXDATE.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (full !== undefined) return inYear(Number(full.year), full);
  const short = RFC_850.exec(text)?.groups;
  return short === undefined ? undefined : inRecentYear(Number(short.year), short, now);
}

type Parts = Readonly<Record<string, string>>;

function inYear(year: number, { month = '', day, hour, minute, second }: Parts): number | undefined {
  const monthIndex = 'JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(month) / 3;
  const date = new Date(0);
  // `Date.UTC` would take the years 0 to 99 for 1900 to 1999; `setUTCFullYear` does not.
  date.setUTCFullYear(year, monthIndex, Number(day));
  // A day that its month lacks has rolled over into another month. An unknown month has the index -1, which matches none.
  const exists = date.getUTCMonth() === monthIndex && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  return exists ? date.setUTCHours(Number(hour), Number(minute), Number(second)) : undefined;
}

function inRecentYear(twoDigits: number, parts: Parts, now: number): number | undefined {
  const horizon = new Date(now);
  const lastYear = horizon.getUTCFullYear() + 50;
  const year = lastYear - ((lastYear - twoDigits) % 100);
  const date = inYear(year, parts);
  return date !== undefined && date > horizon.setUTCFullYear(lastYear) ? inYear(year - 100, parts) : date;
}

/**
 * The moment at which the server answered, by the server's own clock. Moments in other fields are read against it, since clocks disagree.
 *
 * @param now the caller's clock in ms since 1970, for when there is no valid `Date` (a browser hides it from other origins)
 * @returns milliseconds since 1970
 */
export function serverClock(headers: HeadersLike, now: number): number {
  return parseHttpDate(headers.get('date'), now) ?? now;
}

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
