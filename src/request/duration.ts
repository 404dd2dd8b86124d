export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/**
 * A duration as people say it, to about three digits: a retry delay of 90 s is 90 s, not a minute and a half.
 *
 *     0 -> '0 s'    50 -> '50 ms'    700 -> '0.7 s'    1250 -> '1.25 s'    90_000 -> '90 s'    150_000 -> '2 min 30 s'    7_200_000 -> '2 h'
 */
export function formatDuration(ms: number): string {
  if (ms === Infinity) return 'for ever';
  if (Math.round(ms) === 0) return '0 s';
  if (ms < 99.5) return `${Math.round(ms)} ms`;
  if (round(ms / SECOND) < 120) return `${round(ms / SECOND)} s`;
  const seconds = Math.round(ms / SECOND);
  const [big, small, unit, part] = ms < HOUR - SECOND / 2 ? [60, 1, 'min', 's'] : [3600, 60, 'h', 'min'];
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)} ${unit}${rest > 0 ? ` ${rest} ${part}` : ''}`;
}

function round(seconds: number): number {
  return Number(seconds.toFixed(seconds < 10 ? 2 : 1));
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** An amount with its unit: `200ms`, `1.5s`. */
const AMOUNT = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)$/;

/** Milliseconds of a duration as people type it: `200ms`, `1.5s`, `2m`, `1m 30s`, `1h`, or `0`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  let total = 0;
  for (const word of text.trim().split(/\s+/)) {
    const [, amount, unit = ''] = AMOUNT.exec(word) ?? [];
    if (amount === undefined) return undefined;
    total += Number(amount) * (UNITS[unit] ?? 1);
  }
  return total;
}
