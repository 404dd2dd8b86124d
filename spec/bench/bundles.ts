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
  'retryAfterInterceptor of coldfetch/angular': `export { retryAfterInterceptor } from 'coldfetch/angular'`,
  'all of coldfetch/angular': `export * from 'coldfetch/angular'`,
  'all of coldfetch': `export * from 'coldfetch'`,
} as const;

/** Packages that a bundle of ours leaves out: the user has them anyway. */
export const PEERS = ['rxjs', '@angular/core', '@angular/common'];

/** One bundle. */
export interface Bundle {
  /** KiB, minified by esbuild and gzipped; {@link PEERS} are left out. */
  readonly size: number;
  /** KiB before gzip of each file, by its path in `src/` or in `node_modules/`, the largest first. */
  readonly files: readonly (readonly [path: string, size: number])[];
}

/** Bundles an entry as a browser gets it, without {@link PEERS}. */
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
    external: PEERS.flatMap((name) => [name, `${name}/*`]),
    // The paths of tsconfig.json lead to the sources, so they are left out.
    tsconfigRaw: {},
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return {
    size: kib(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength),
    files: inputs
      .map(([path, { bytesInOutput }]) => [path.replace(/^.*?(?=node_modules\/)|^.*?dist\//, ''), bytesInOutput / 1024] as const)
      .filter(([, size]) => size > 0)
      .sort((a, b) => b[1] - a[1]),
  };
}

/** Sums of sizes by name, the largest first. */
export function sums(sizes: readonly (readonly [name: string, size: number])[]): readonly (readonly [name: string, size: number])[] {
  const all = new Map<string, number>();
  for (const [name, size] of sizes) all.set(name, (all.get(name) ?? 0) + size);
  return [...all].sort((a, b) => b[1] - a[1]);
}

/** Bytes in KiB, to two decimal places. */
export function kib(bytes: number): number {
  return Number((bytes / 1024).toFixed(2));
}
