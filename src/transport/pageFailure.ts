import { pageUrl } from '../request/pageUrl.js';

/** Hosts that a page of any scheme may send to without encryption (W3C Secure Contexts, "potentially trustworthy"). */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The likely reasons of a failed request in a page, where the engine tells a script that it failed and no more; undefined elsewhere. A denied
 * preflight, a missing CORS field and a server that is down look all the same from inside.
 */
export function pageFailure(url: string): string | undefined {
  const page = pageUrl();
  if (page === undefined || !URL.canParse(url, page)) return undefined;
  const { origin, protocol, hostname } = new URL(url, page);
  if (isOffline()) return 'the browser is offline';
  if (isMixedContent(page, protocol, hostname)) return 'a page from https cannot send to http (mixed content)';
  if (origin === new URL(page).origin) return 'the server cannot be reached';
  return `the server cannot be reached, or CORS denies this page its answer: ${origin} has to send Access-Control-Allow-Origin, to a preflight too`;
}

/** Whether the browser says that it has no network. */
export function isOffline(): boolean {
  return (globalThis as { readonly navigator?: { readonly onLine?: boolean } }).navigator?.onLine === false;
}

function isMixedContent(page: string, protocol: string, hostname: string): boolean {
  return page.startsWith('https:') && protocol === 'http:' && !LOOPBACK.test(hostname);
}
