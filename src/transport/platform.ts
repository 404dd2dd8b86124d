/** Part of the global object by which platforms are told apart; a bundler may have put a stand-in in the place of `process`. */
interface PlatformGlobals {
  readonly process?: { readonly versions?: { readonly node?: unknown; readonly bun?: unknown } | null } | null;
  readonly Deno?: unknown;
}

/** Abilities of a platform's `fetch`. */
export interface Platform {
  /** True if a script sees redirects: on Node, Bun and Deno, not in a browser. */
  readonly seesRedirects: boolean;
  /** True if a stream is sent with its `content-length`: Node and Bun do, Deno sends every stream chunked. */
  readonly streamsWithLength: boolean;
  /** True if text is sent with its `content-type`: Bun sends none. */
  readonly typesText: boolean;
}

/** Tells a platform by its global object, whose members may be of any kind: a member that throws is no platform's. */
export function platformOf(globals: PlatformGlobals): Platform {
  try {
    const { process, Deno } = globals;
    const seesRedirects = typeof process?.versions?.node === 'string';
    const typesText = typeof process?.versions?.bun !== 'string';
    return { seesRedirects, streamsWithLength: seesRedirects && Deno === undefined, typesText };
  } catch {
    return { seesRedirects: false, streamsWithLength: false, typesText: true };
  }
}

export const { seesRedirects, streamsWithLength, typesText } = /* @__PURE__ */ platformOf(globalThis);
