import { bundle, ENTRIES } from './bundles.js';

/** Bytes that users of the front doors pay: gzipped, and by part before that. */
export async function size(): Promise<void> {
  console.log('bundle sizes (KiB, esbuild, minified, gzip -9, rxjs external), and their parts before gzip:');
  for (const [name, contents] of Object.entries(ENTRIES)) {
    const { size: gzipped, parts } = await bundle(contents);
    console.log(
      `  ${name.padEnd(32)} ${gzipped.toFixed(2).padStart(6)}   ${parts.map(([part, kib]) => `${part} ${kib.toFixed(1)}`).join(', ')}`,
    );
  }
}
