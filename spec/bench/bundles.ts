import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Entries whose size users pay for, by name: the code that they write. */
export const ENTRIES = {
  'coldFetch, retryAfter, policies': `export { coldFetch, retryAfter, policies } from 'coldfetch'`,
  createClient: `export { createClient } from 'coldfetch'`,
  'createClient with httpCache': `export { createClient, httpCache } from 'coldfetch'`,
  'createClient of coldfetch/core': `export { createClient } from 'coldfetch/core'`,
  asFetch: `export { asFetch } from 'coldfetch'`,
  'asFetch of coldfetch/core': `export { asFetch } from 'coldfetch/core'`,
  'all of coldfetch': `export * from 'coldfetch'`,
} as const;

/** One bundle. */
export interface Bundle {
  /** KiB, minified by esbuild and gzipped; rxjs is left out. */
  readonly size: number;
  /** KiB before gzip of each room of `src/` and each dependency, the largest first. */
  readonly parts: readonly (readonly [name: string, size: number])[];
}

/** Bundles an entry as a browser gets it, without rxjs. */
export async function bundle(contents: string, resolveDir = process.cwd()): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: ['rxjs', 'rxjs/*'],
    // Without the paths of tsconfig.json, which lead to the sources.
    tsconfigRaw: {},
    logLevel: 'error',
  });
  const parts = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) parts.set(partOf(path), (parts.get(partOf(path)) ?? 0) + bytesInOutput);
  }
  return {
    size: kib(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength),
    parts: [...parts].map(([name, bytes]) => [name, kib(bytes)] as const).sort((a, b) => b[1] - a[1]),
  };
}

/** Room of the library, or the package, that a file belongs to. */
function partOf(path: string): string {
  const [, dependency] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  const [, room] = /^dist\/([^/.]+)/.exec(path) ?? [];
  return dependency ?? room ?? path;
}

/** Bytes in KiB, to two decimal places. */
export function kib(bytes: number): number {
  return Number((bytes / 1024).toFixed(2));
}
