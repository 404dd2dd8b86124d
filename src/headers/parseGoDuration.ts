import { textOf } from './fields.js';

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, µs: 1e-3, μs: 1e-3, ns: 1e-6 };

/**
 * Reads a duration as Go prints it: `6m0s`, `12ms`, `1h2m3.5s`. A number without a unit and a negative duration are `undefined`.
 *
 * @returns milliseconds, finite
 */
export function parseGoDuration(value: string | null | undefined): number | undefined {
  const text = textOf(value);
  if (text === undefined || !/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|[µμ]s|ns))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)(\D+)/g)) total += Number(amount) * (UNITS[unit] ?? 0);
  return Math.min(total, Number.MAX_VALUE);
}
