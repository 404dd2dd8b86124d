const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** Bytes for people, in powers of 1,000: `73 KB`, `2.2 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const value = bytes / 1000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power] ?? 'B'}`;
}

/** Milliseconds for people: `0.4 s`, `12 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min${seconds % 60 > 0 ? ` ${seconds % 60} s` : ''}`;
}
