import type { HeadersLike } from '../../headers/HeadersLike.js';
import { originOf } from '../../request/originOf.js';
import { pageUrl } from '../../request/pageUrl.js';

/** Fields of an answer from another origin that a page sees unasked (Fetch standard, CORS-safelisted response-header names). */
const SAFELISTED = /^(cache-control|content-language|content-length|content-type|expires|last-modified|pragma)$/i;
/** Fields that this library adds to an answer. */
const OWN = /^cache-status$/i;

/**
 * Whether an answer without a `Link` field may have had one that the page is not shown: it came from another origin than the page's, and no field
 * in sight says that its server exposes any (`Access-Control-Expose-Headers`). Outside of browsers nothing is hidden.
 */
export function mayHideLink(headers: HeadersLike, url: string): boolean {
  const home = originOf(pageUrl() ?? '');
  if (home === undefined || (originOf(url) ?? home) === home || !isListable(headers)) return false;
  return [...headers.keys()].every((name) => SAFELISTED.test(name) || OWN.test(name));
}

function isListable(headers: HeadersLike): headers is HeadersLike & { keys(): Iterable<string> } {
  return 'keys' in headers && typeof headers.keys === 'function';
}
