/** The URL against which a page or worker resolves relative URLs: that of its `<base>`, else its own. Undefined outside of browsers. */
export function pageUrl(): string | undefined {
  const { document, location } = globalThis as {
    readonly document?: { readonly baseURI?: string };
    readonly location?: { readonly href?: string };
  };
  return document?.baseURI ?? location?.href;
}
