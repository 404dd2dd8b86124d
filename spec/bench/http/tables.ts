import { median } from '../measure.js';
import type { BurstOutcome } from './burst.js';
import type { ParkedCost } from './parked.js';
import type { Cost } from './requests.js';
import { BASELINE, BURST, CONCURRENCIES, SCREENSHOTS, SIZES } from './settings.js';
import type { ImportCost } from './startup.js';
import type { UploadCost } from './uploads.js';

type Row = readonly string[];

/** A table in Markdown, whose cells are aligned to the right but for those of the first column. */
export function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** A value of the sorted ones: 0 is the least, 1 the greatest. */
function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round(at * (sorted.length - 1))] ?? NaN;
}

/** Values of a row as multiples of those that the baseline had in the same round. */
function ratios(values: readonly number[], baseline: readonly number[]): number[] {
  return values.map((value, round) => value / (baseline[round] ?? NaN));
}

const middle = (values: readonly number[]): string => median(values).toFixed(2);
const spread = (values: readonly number[]): string =>
  `${middle(values)} (${quantile(values, 0.25).toFixed(2)} to ${quantile(values, 0.75).toFixed(2)})`;

/** One table in full of 20 small requests at once, and one for each method and size: multiples of `fetch`, wall time and processor time. */
export function requestTables(measured: readonly (readonly [version: string, Record<string, Record<string, Cost>>])[]): string {
  return measured.map(([version, costs]) => [`### Node ${version}`, ...inFull(costs), ...bySize(costs)].join('\n\n')).join('\n\n');
}

function inFull(costs: Record<string, Record<string, Cost>>): string[] {
  const setting = costs['GET 0.8 kB 20'];
  if (!setting) return [];
  const base = setting[BASELINE];
  const rows = Object.entries(setting).map(([name, { wall, cpu }]) => [
    name,
    spread(ratios(wall, base?.wall ?? [])),
    spread(ratios(cpu, base?.cpu ?? [])),
    `${median(wall).toFixed(0)} us`,
  ]);
  return [`GET of 0.8 kB, 20 at once:\n\n${table(['', 'wall (middle half)', 'CPU (middle half)', 'wall'], rows)}`];
}

function bySize(costs: Record<string, Record<string, Cost>>): string[] {
  return ['GET', 'POST'].flatMap((method) =>
    Object.keys(SIZES).flatMap((size) => {
      const settings = CONCURRENCIES.map((concurrency) => costs[`${method} ${size} ${concurrency}`] ?? {});
      const names = Object.keys(settings.find((setting) => Object.keys(setting).length > 0) ?? {});
      if (names.length === 0) return [];
      const rows = names.map((name) => [
        name,
        ...settings.map(({ [name]: cost, [BASELINE]: base }) =>
          cost && base ? `${middle(ratios(cost.wall, base.wall))} / ${middle(ratios(cost.cpu, base.cpu))}` : '-',
        ),
      ]);
      return [`${method} of ${size}, wall / CPU:\n\n${table(['', ...CONCURRENCIES.map((count) => `${count} at once`)], rows)}`];
    }),
  );
}

export function parkedTable(requests: number, costs: Record<string, ParkedCost>): string {
  const rows = Object.entries(costs).map(([name, { bytes, wake, cpu, completed }]) => [
    name,
    `${bytes.toFixed(0)} bytes`,
    `${wake.toFixed(0)} ms`,
    `${((cpu * 1000) / requests).toFixed(0)} us`,
    String(completed),
  ]);
  return table(['', 'heap of each', 'last answer after the time named', 'CPU of each', 'answered'], rows);
}

export function burstTable(outcomes: Record<string, BurstOutcome>): string {
  const rows = Object.entries(outcomes).map(([name, { completed, sent, refused, early, end }]) => [
    name,
    `${completed} of ${BURST.requests}`,
    ...[sent, refused, early].map(String),
    end.toFixed(2),
  ]);
  return table(['', 'completed', 'sent', '429s', 'too early', 'end / optimum'], rows);
}

export function uploadTable(version: string, costs: Record<string, UploadCost>): string {
  const [base] = Object.values(costs);
  const rows = Object.entries(costs).map(([name, { wall, cpu }]) => [
    name,
    spread(ratios(wall, base?.wall ?? [])),
    spread(ratios(cpu, base?.cpu ?? [])),
    `${median(wall).toFixed(1)} s`,
  ]);
  const { count, bytes, concurrency } = SCREENSHOTS;
  const what = `${count} images of ${bytes / 1000} kB, ${concurrency} at once, Node ${version}:`;
  return `${what}\n\n${table(['', 'wall (middle half)', 'CPU (middle half)', 'wall'], rows)}`;
}

export function sizeTable(sizes: Record<string, number>): string {
  return table(
    ['', 'KiB'],
    Object.entries(sizes).map(([name, size]) => [name, size.toFixed(1)]),
  );
}

/** Sizes of the parts of several bundles, the largest first, and their sums; of more than `most` parts the rest is one. */
export function partTable(kind: string, sizes: Record<string, ReadonlyMap<string, number>>, most = Infinity): string {
  const bundles = Object.values(sizes);
  const largest = (part: string): number => Math.max(...bundles.map((bundle) => bundle.get(part) ?? 0));
  const names = [...new Set(bundles.flatMap((bundle) => [...bundle.keys()]))].sort((a, b) => largest(b) - largest(a));
  const shown = (bundle: ReadonlyMap<string, number>, parts: readonly string[]): string => {
    const size = parts.reduce((sum, part) => sum + (bundle.get(part) ?? 0), 0);
    return size === 0 ? '-' : size.toFixed(1);
  };
  const row = (name: string, parts: readonly string[]): Row => [name, ...bundles.map((bundle) => shown(bundle, parts))];
  const rest = names.slice(most);
  return table(
    [`${kind}, KiB before gzip`, ...Object.keys(sizes)],
    [
      ...names.slice(0, most).map((name) => row(name, [name])),
      ...(rest.length > 0 ? [row(`${rest.length} smaller ones`, rest)] : []),
      row('all', names),
    ],
  );
}

export function bundlerTable(sizes: Record<string, Record<string, number>>): string {
  const [first = {}] = Object.values(sizes);
  const rows = Object.entries(sizes).map(([name, byBundler]) => [name, ...Object.values(byBundler).map((size) => size.toFixed(1))]);
  return table(['KiB', ...Object.keys(first)], rows);
}

export function importTable(version: string, costs: Record<string, ImportCost[]>): string {
  const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  const rows = Object.entries(costs).map(([name, rounds]) => [
    name,
    `${median(rounds.map(({ ms }) => ms)).toFixed(0)} ms`,
    mib(median(rounds.map(({ heap }) => heap))),
    mib(median(rounds.map(({ rss }) => rss))),
  ]);
  return `Node ${version}:\n\n${table(['', 'time', 'heap', 'memory of the process'], rows)}`;
}
