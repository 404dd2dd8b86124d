import { bundle } from '../bundles.js';

const OURS = {
  'coldFetch, retryAfter, policies': `export { coldFetch, retryAfter, policies } from 'coldfetch'`,
  createClient: `export { createClient } from 'coldfetch'`,
  asFetch: `export { asFetch } from 'coldfetch'`,
  'all of coldfetch': `export * from 'coldfetch'`,
};
const THEIRS = {
  ky: `export { default } from 'ky'`,
  ofetch: `export { ofetch } from 'ofetch'`,
  'axios and axios-retry': `export { default } from 'axios'; export { default as retry } from 'axios-retry'`,
};

/** KiB of bundles for a browser: by esbuild, minified and gzipped, rxjs left out. */
export async function sizes(root: string, peers: string): Promise<Record<string, number>> {
  const measured: Record<string, number> = {};
  for (const [folder, parts] of [
    [root, OURS],
    [peers, THEIRS],
  ] as const) {
    for (const [name, contents] of Object.entries(parts)) measured[name] = (await bundle(contents, folder)).size;
  }
  return measured;
}
