import { gzippedSize } from './gzippedSize.js';

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
    const external = name.includes('without') ? ['rxjs-for-await', 'structured-headers', 'eventsource-parser'] : [];
    console.log(`  ${name.padEnd(44)} ${(await gzippedSize(contents, process.cwd(), external)).toFixed(2)} KB`);
  }
}
