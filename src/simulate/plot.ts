import type { FleetRun } from './fleet.js';

/** Requests and 429s over time, as plain text: a line for each part of the run. */
export function plot({ arrivals }: FleetRun, { parts = 24, width = 60 } = {}): string {
  const end = arrivals.reduce((last, { at }) => Math.max(last, at), 0) + 1;
  const counts = Array.from({ length: parts }, () => ({ good: 0, rejected: 0 }));
  for (const { at, status } of arrivals) {
    const count = counts[Math.floor((at / end) * parts)];
    if (count) count[status === 429 ? 'rejected' : 'good']++;
  }
  const most = Math.max(...counts.map(({ good, rejected }) => good + rejected), 1);
  // Every event shows, however small its share.
  const bar = (count: number, sign: string): string => sign.repeat(Math.ceil((count / most) * width));
  return counts
    .map(({ good, rejected }, i) => {
      const from = `${Math.round((i * end) / parts / 1000)} s`.padStart(8);
      return `${from} |${bar(good, '#')}${bar(rejected, 'x')}`;
    })
    .join('\n');
}
