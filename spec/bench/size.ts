import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Bytes that users of the front door pay: gzipped, minified by esbuild, without rxjs. */
export async function size(): Promise<void> {
  const parts = {
    'coldFetch + retryAfter + policies': `export { coldFetch, retryAfter, policies } from 'coldfetch'`,
    createClient: `export { createClient } from 'coldfetch'`,
    'createClient, without dependencies': `export { createClient } from 'coldfetch'`,
    'the whole front door': `export * from 'coldfetch'`,
    'the whole front door, without dependencies': `export * from 'coldfetch'`,
  };
  console.log('bundle sizes (esbuild, minified, gzip -9, rxjs external):');
  for (const [name, contents] of Object.entries(parts)) {
    const external = name.includes('without')
      ? ['rxjs', 'rxjs/*', 'rxjs-for-await', 'structured-headers', 'http-cache-semantics', 'eventsource-parser']
      : ['rxjs', 'rxjs/*'];
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: process.cwd() },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      external,
      logLevel: 'error',
    });
    const [file] = outputFiles;
    console.log(`  ${name.padEnd(44)} ${(gzipSync(file?.contents ?? '', { level: 9 }).byteLength / 1024).toFixed(2)} KB`);
  }
}
