/** The parts of the global object that tell one platform from another; a bundler may have put stand-ins in their place. */
interface PlatformGlobals {
  readonly process?: { readonly versions?: { readonly node?: unknown } | null } | null;
  readonly Deno?: unknown;
}

const globals = globalThis as PlatformGlobals;

/** Whether redirects can be seen by a script: on Node, Bun and Deno, not in a browser. */
export const seesRedirects = typeof globals.process?.versions?.node === 'string';

/** Whether `fetch` sends a stream with its `content-length`: Node and Bun do, Deno sends every stream chunked. */
export const streamsWithLength = seesRedirects && globals.Deno === undefined;
