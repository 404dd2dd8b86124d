const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** Milliseconds of a time as people type it: `200ms`, `1.5s`, `2m`, `1h`, or `0`; undefined for anything else. */
export function durationOf(text: string): number | undefined {
  if (text === '0') return 0;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|min|h)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] ?? 1);
}
