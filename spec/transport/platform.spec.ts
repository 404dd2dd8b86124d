import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { platformOf } from '../../src/transport/platform.js';

const throwing: object = new Proxy(
  {},
  {
    get: () => {
      throw new RangeError('not here');
    },
  },
);

describe('platformOf', () => {
  it.each<[string, object]>([
    ['FinalizationRegistry, which is missing', { FinalizationRegistry: undefined }],
    ['nothing', {}],
    ['null', { process: null }],
    ['that of a bundler', { process: { env: {} } }],
    ['one without a version', { process: { versions: {} } }],
    ['one with null for versions', { process: { versions: null } }],
    ['one with a version that is none', { process: { versions: { node: true } } }],
    ['one whose members throw', { process: throwing }],
    ['a global object that throws', throwing],
  ])('takes no stand-in for the process of Node: %s', (_, globals) => {
    expect(platformOf(globals)).toEqual({ seesRedirects: false, refusesRedirects: false, streamsWithLength: false, typesText: true });
  });

  it('knows Node, which sends streams with their length and shows redirects', () => {
    expect(platformOf(globalThis)).toEqual({ seesRedirects: true, refusesRedirects: true, streamsWithLength: true, typesText: true });
  });

  it('knows Deno, which shows redirects but sends every stream chunked', () => {
    const deno = { process: { versions: { node: '26.0.0' } }, Deno: {} };
    expect(platformOf(deno)).toEqual({ seesRedirects: true, refusesRedirects: true, streamsWithLength: false, typesText: true });
  });

  it.each([{}, { process: { versions: { node: '22.19.0' } } }])(
    'knows Cloudflare Workers, which show redirects, but refuse none and send every stream chunked: %o',
    (globals) => {
      const workers = { ...globals, navigator: { userAgent: 'Cloudflare-Workers' } };
      expect(platformOf(workers)).toEqual({ seesRedirects: true, refusesRedirects: false, streamsWithLength: false, typesText: true });
    },
  );

  it('knows Bun, which sends text without its type', () => {
    const bun = { process: { versions: { node: '26.0.0', bun: '1.4.5' } } };
    expect(platformOf(bun)).toEqual({ seesRedirects: true, refusesRedirects: true, streamsWithLength: true, typesText: false });
  });
});

describe('the front door in a page', () => {
  const bundle = build({
    ...{ entryPoints: ['src/index.ts'], bundle: true, write: false, format: 'iife', globalName: 'coldfetch', platform: 'browser' },
  });

  it.each<[string, object]>([
    ['process', { process: { env: {} } }],
    ['process, which throws', { process: throwing }],
    ['location and document', { location: null, document: null }],
    ['navigator', { navigator: null }],
    ['nothing', {}],
  ])('can be imported and used where a stand-in is in the place of %s', async (_, globals) => {
    const { Headers, Request, Response, URL, URLSearchParams, ReadableStream, Blob, FormData, TextEncoder, TextDecoder } = globalThis;
    const web = { Headers, Request, Response, URL, URLSearchParams, ReadableStream, Blob, FormData, TextEncoder, TextDecoder };
    const fetch = () => Promise.resolve(new Response('{"a":1}'));
    const page = createContext({ ...web, AbortController, setTimeout, clearTimeout, performance, crypto, console, fetch, ...globals });
    runInContext((await bundle).outputFiles[0]?.text ?? '', page);
    const answer = runInContext(
      `new Promise((next, error) => {
        const body = 'x'.repeat(100000);
        coldfetch.coldFetch('https://api.test/', { method: 'POST', body, selector: (response) => response.json() }).subscribe({ next, error });
      })`,
      page,
    ) as Promise<unknown>;
    expect(JSON.stringify(await answer)).toBe('{"a":1}');
  });
});
