const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** Bytes for people, in powers of 1,000: `73 KB`, `2.2 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power] ?? 'B'}`;
}
