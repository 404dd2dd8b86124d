import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { faultTables } from './faultTables.js';
import type { Played } from './playScenarios.js';

/** Path of the guide to faults of uploads. */
export const GUIDE = fileURLToPath(new URL('../../guides/upload-faults.md', import.meta.url));

/** Text of the guide with new tables: what stands before the first of them is kept. */
export async function guideWith(played: readonly Played[]): Promise<string> {
  const [introduction = ''] = (await readFile(GUIDE, 'utf8')).split(/^## /m);
  const options = await resolveConfig(GUIDE);
  return format(`${introduction}${faultTables(played)}\n`, { ...options, filepath: GUIDE });
}
