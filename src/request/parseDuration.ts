const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** One amount with its unit: `200ms`, `1.5s`. */
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
