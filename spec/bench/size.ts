import { bundle, ENTRIES, sums } from './bundles.js';

/** Bytes that users of the front doors pay: gzipped, and by part before that. */
export async function size(): Promise<void> {
  console.log('bundle sizes (KiB, esbuild, minified, gzip -9, rxjs external), and their parts before gzip:');
  for (const [name, contents] of Object.entries(ENTRIES)) {
    const { size: gzipped, files } = await bundle(contents);
    const parts = sums(files.map(([path, size]) => [path.replace(/^node_modules\//, '').replace(/\/.*/, ''), size]));
    console.log(
      `  ${name.padEnd(42)} ${gzipped.toFixed(2).padStart(6)}   ${parts.map(([part, kib]) => `${part} ${kib.toFixed(1)}`).join(', ')}`,
    );
  }
}
