import { readdir } from 'node:fs/promises';
import { isMissing } from '../files/fileErrors.js';
import { HEADERS_FILE, readRecording } from './Recording.js';

/** Number of recordings that are looked into: those whose names are nearest. */
const CANDIDATES = 50;
/** Characters that are compared: the effort grows with their square. */
const COMPARED = 300;

/** The recorded request that is most like `wanted` (`GET https://...`), to show a caller the one that is probably meant. */
export async function nearestRecording(folder: string, name: string, wanted: string): Promise<string | undefined> {
  const names = (await namesIn(folder))
    .map((found) => ({ found, distance: editDistance(withoutHash(found), withoutHash(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, CANDIDATES);
  const requests = await Promise.all(
    names.map(async ({ found }) => {
      const recording = await readRecording(folder, found);
      return recording ? [`${recording.request.method} ${recording.request.url}`] : [];
    }),
  );
  const ranked = requests
    .flat()
    .map((request) => ({ request, distance: editDistance(request.slice(0, COMPARED), wanted.slice(0, COMPARED)) }));
  return ranked.sort((a, b) => a.distance - b.distance)[0]?.request;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder);
    return files.filter((file) => file.endsWith(HEADERS_FILE)).map((file) => file.slice(0, -HEADERS_FILE.length));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function withoutHash(name: string): string {
  return name.replace(/_[\da-f]{12}(\.\d+)?$/, '');
}

/** Number of characters to be put in, taken out or changed to make one text the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
