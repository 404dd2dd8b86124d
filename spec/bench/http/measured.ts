import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../../src/request/errors/causes.js';
import type { Grid } from './tables.js';

const FILE = fileURLToPath(new URL('.generated/measured.json', import.meta.url));

/** Measurements so far: pieces of the grid add to it. */
export interface Measured {
  /** Grids by the version of Node. */
  readonly requests: Readonly<Record<string, Grid>>;
  /** Load of the machine at the beginning of each run. */
  readonly loads: readonly number[];
}

export const NOTHING: Measured = { requests: {}, loads: [] };

/** The measurements of the runs before; none unless there are some. */
export function readMeasured(): Measured {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Measured;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return NOTHING;
    throw error;
  }
}

export function writeMeasured(measured: Measured): void {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify(measured));
}

/** `measured` with the grid of one Node: rows of the same name are replaced, the others stay. */
export function withGrid({ requests, loads }: Measured, version: string, grid: Grid): Measured {
  const merged: Record<string, Grid[string]> = { ...requests[version] };
  for (const [setting, costs] of Object.entries(grid)) merged[setting] = { ...merged[setting], ...costs };
  return { requests: { ...requests, [version]: merged }, loads };
}
