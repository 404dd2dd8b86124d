import { bundle, ENTRIES, sums } from '../bundles.js';
import { partOf } from '../parts.js';

const THEIRS = {
  ky: `export { default } from 'ky'`,
  ofetch: `export { ofetch } from 'ofetch'`,
  'axios and axios-retry': `export { default } from 'axios'; export { default as retry } from 'axios-retry'`,
};

/** KiB of bundles for a browser: by esbuild, minified and gzipped, rxjs left out. */
export async function sizes(root: string, peers: string): Promise<Record<string, number>> {
  const measured: Record<string, number> = {};
  for (const [folder, parts] of [
    [root, ENTRIES],
    [peers, THEIRS],
  ] as const) {
    for (const [name, contents] of Object.entries(parts)) measured[name] = (await bundle(contents, folder)).size;
  }
  return measured;
}

/** KiB of bundles before gzip, by entry: of each part of the library, and of each file. */
export interface BundleParts {
  readonly parts: Record<string, ReadonlyMap<string, number>>;
  readonly files: Record<string, ReadonlyMap<string, number>>;
}

/** The bundles of those who count bytes, taken apart. */
export async function bundleParts(root: string): Promise<BundleParts> {
  const names = ['coldFetch, retryAfter, policies', 'createClient of coldfetch/core', 'createClient'] as const;
  const made: BundleParts = { parts: {}, files: {} };
  for (const name of names) {
    const { files } = await bundle(ENTRIES[name], root);
    made.files[name] = new Map(files);
    made.parts[name] = new Map(sums(files.map(([path, size]) => [partOf(path), size])));
  }
  return made;
}
