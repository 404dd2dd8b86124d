const DAY = 86_400_000;

/**
 * What a reset field means: above 1e12 it is milliseconds since 1970, above 1e9 seconds since 1970, else seconds from now. The same field
 * name carries all three at different vendors.
 *
 * @param clock the server's clock, in ms since 1970
 * @returns milliseconds from now, 0 to 24 h; beyond, it is a mistake or of no use: `undefined`
 */
export function resetDelay(value: number | undefined, clock: number): number | undefined {
  if (value === undefined || value < 0) return undefined;
  const delay = value > 1e12 ? value - clock : value > 1e9 ? value * 1000 - clock : value * 1000;
  return delay <= DAY ? Math.max(delay, 0) : undefined;
}
