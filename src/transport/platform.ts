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

/** Tells a platform by its global object. */
export function platformOf({ process, Deno }: PlatformGlobals): Platform {
  const seesRedirects = typeof process?.versions?.node === 'string';
  return { seesRedirects, streamsWithLength: seesRedirects && Deno === undefined };
}

export const { seesRedirects, streamsWithLength } = /* @__PURE__ */ platformOf(globalThis);
