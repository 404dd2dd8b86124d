/** The part of the global object that tells platforms apart; a bundler may have put a stand-in in the place of `process`. */
interface PlatformGlobals {
  readonly process?: { readonly versions?: { readonly node?: unknown } | null } | null;
  readonly Deno?: unknown;
}

/** Abilities of a platform's `fetch`. */
export interface Platform {
  /** Whether a script sees redirects: on Node, Bun and Deno, not in a browser. */
  readonly seesRedirects: boolean;
  /** Whether a stream is sent with its `content-length`: Node and Bun do, Deno sends every stream chunked. */
  readonly streamsWithLength: boolean;
}

/** Tells a platform by its global object, whose members may be anything: one that throws is no platform's. */
export function platformOf(globals: PlatformGlobals): Platform {
  try {
    const { process, Deno } = globals;
    const seesRedirects = typeof process?.versions?.node === 'string';
    return { seesRedirects, streamsWithLength: seesRedirects && Deno === undefined };
  } catch {
    return { seesRedirects: false, streamsWithLength: false };
  }
}

export const { seesRedirects, streamsWithLength } = /* @__PURE__ */ platformOf(globalThis);
