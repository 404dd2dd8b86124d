/** Runs each variant `requests` times in a row, all variants in turn, `rounds` times; gives the ms a call of each round. The first round warms up. */
export async function inTurn(
  variants: Readonly<Record<string, () => Promise<unknown>>>,
  rounds: number,
  requests: number,
): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, call] of Object.entries(variants)) {
      const began = performance.now();
      for (let n = 0; n < requests; n++) await call();
      if (round >= 0) times[name]?.push((performance.now() - began) / requests);
    }
  }
  return times;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Values as multiples of those that the baseline had in the same round. */
export function ratios(values: readonly number[], baseline: readonly number[]): number[] {
  return values.map((value, round) => value / (baseline[round] ?? NaN));
}

/** Milliseconds as microseconds, for a column. */
export function microseconds(ms: number): string {
  return (ms * 1000).toFixed(1).padStart(6);
}
