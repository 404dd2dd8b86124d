/** Part of the global object by which platforms are told apart; a bundler may have put a stand-in in the place of `process`. */
interface PlatformGlobals {
  readonly process?: { readonly versions?: { readonly node?: unknown; readonly bun?: unknown } | null } | null;
  readonly Deno?: unknown;
  readonly navigator?: { readonly userAgent?: unknown } | null;
}

/** Abilities of a platform's `fetch`. */
export interface Platform {
  /** True if a script sees redirects: on Node, Bun, Deno and Cloudflare Workers, not in a browser. */
  readonly seesRedirects: boolean;
  /** True if redirects can be refused by `redirect: 'error'` and are told apart from other failures: not in a browser, nor on Workers. */
  readonly refusesRedirects: boolean;
  /** True if a stream is sent with its `content-length`: Node and Bun do, Deno and Workers send every stream chunked. */
  readonly streamsWithLength: boolean;
  /** True if text is sent with its `content-type`: Bun sends none. */
  readonly typesText: boolean;
}

/** Tells a platform by its global object, whose members may be of any kind: a member that throws is no platform's. */
export function platformOf(globals: PlatformGlobals): Platform {
  try {
    const { process, Deno, navigator } = globals;
    // Workers have the `process` of Node where their flag `nodejs_compat` is set.
    const isWorker = navigator?.userAgent === 'Cloudflare-Workers';
    const refusesRedirects = !isWorker && typeof process?.versions?.node === 'string';
    return {
      seesRedirects: isWorker || refusesRedirects,
      refusesRedirects,
      streamsWithLength: refusesRedirects && Deno === undefined,
      typesText: typeof process?.versions?.bun !== 'string',
    };
  } catch {
    return { seesRedirects: false, refusesRedirects: false, streamsWithLength: false, typesText: true };
  }
}

export const { seesRedirects, refusesRedirects, streamsWithLength, typesText } = /* @__PURE__ */ platformOf(globalThis);
