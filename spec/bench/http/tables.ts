import { cpus } from 'node:os';
import { median, ratios } from '../measure.js';
import type { BurstOutcome } from './burst.js';
import type { ParkedCost } from './parked.js';
import type { Profile } from './profile.js';
import type { Cost } from './requests.js';
import { BURST, CONCURRENCIES, SCREENSHOTS, SIZES } from './settings.js';
import type { ImportCost } from './startup.js';
import type { UploadCost } from './uploads.js';

type Row = readonly string[];

/** Costs by setting and client. */
export type Grid = Readonly<Record<string, Readonly<Record<string, Cost>>>>;

/** Grids by the version of Node. */
export type Requests = Readonly<Record<string, Grid>>;

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

const middle = (values: readonly number[]): string => median(values).toFixed(2);
const spread = (values: readonly number[]): string =>
  `${middle(values)} (${quantile(values, 0.25).toFixed(2)} to ${quantile(values, 0.75).toFixed(2)})`;

/** One table in full of 20 small requests at once, and one for each method and size: multiples of `fetch`, wall time and processor time. */
export function requestTables(measured: Requests): string {
  return Object.entries(measured)
    .map(([version, grid]) => [`### Node ${version}`, ...inFull(grid), ...bySize(grid)].join('\n\n'))
    .join('\n\n');
}

function inFull({ 'GET 0.8 kB 20': costs }: Grid): string[] {
  if (!costs) return [];
  const rows = Object.entries(costs).map(([name, { wall, cpu, time }]) => [name, spread(wall), spread(cpu), `${time.toFixed(0)} us`]);
  return [`GET of 0.8 kB, 20 at once:\n\n${table(['', 'wall (middle half)', 'CPU (middle half)', 'wall'], rows)}`];
}

function bySize(grid: Grid): string[] {
  return ['GET', 'POST'].flatMap((method) =>
    Object.keys(SIZES).flatMap((size) => {
      const settings = CONCURRENCIES.map((concurrency) => grid[`${method} ${size} ${concurrency}`] ?? {});
      const names = [...new Set(settings.flatMap((costs) => Object.keys(costs)))];
      if (names.length === 0) return [];
      const cell = (cost: Cost | undefined): string => (cost ? `${middle(cost.wall)} / ${middle(cost.cpu)}` : '-');
      const rows = names.map((name) => [name, ...settings.map(({ [name]: cost }) => cell(cost))]);
      return [`${method} of ${size}, wall / CPU:\n\n${table(['', ...CONCURRENCIES.map((count) => `${count} at once`)], rows)}`];
    }),
  );
}

/** Microseconds of each request by the owner of the code, and their share. */
export function profileTable(profiles: Record<string, Profile>): string {
  const all = Object.values(profiles);
  const most = (group: string): number => Math.max(...all.map(({ cpu, shares }) => cpu * (shares[group] ?? 0)));
  const groups = [...new Set(all.flatMap(({ shares }) => Object.keys(shares)))].sort((a, b) => most(b) - most(a));
  const cell = ({ cpu, shares }: Profile, group: string): string => {
    const share = shares[group] ?? 0;
    return share === 0 ? '-' : `${(cpu * share).toFixed(1)} (${(share * 100).toFixed(0)} %)`;
  };
  const rows = groups.map((group) => [group, ...all.map((profile) => cell(profile, group))]);
  return table(['us of CPU (share)', ...Object.keys(profiles)], [...rows, ['together', ...all.map(({ cpu }) => cpu.toFixed(0))]]);
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

/** The machine, and the load that it had when the pieces began. */
export function machineLine(loads: readonly number[]): string {
  const load = (at: number): string => quantile(loads, at).toFixed(1);
  return `Measured on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}). Load when a piece began: ${load(0)} to ${load(1)}, ${load(0.5)} in the middle.`;
}
