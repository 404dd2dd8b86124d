import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** KiB of a bundle for a browser: by esbuild, minified, gzipped, without rxjs and what else is `external`. */
export async function gzippedSize(contents: string, resolveDir: string, external: readonly string[] = []): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: ['rxjs', 'rxjs/*', ...external],
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength / 1024;
}
